package io.mykit.delay.queue.dispatch;

/** The room of a topic without limits. It keeps no count. */
enum UnlimitedRoom implements TopicRoom {
    INSTANCE;

    @Override
    public boolean isLimited() {
        return false;
    }

    @Override
    public int free() {
        return Integer.MAX_VALUE;
    }

    @Override
    public void reserve(int messages) {}

    @Override
    public void cancel(int messages) {}

    @Override
    public void sent(int messages) {}

    @Override
    public void answered(int messages) {}

    @Override
    public long nanosUntilFree() {
        return 0;
    }

    @Override
    public long nanosUntilWhole() {
        return 0;
    }
}
