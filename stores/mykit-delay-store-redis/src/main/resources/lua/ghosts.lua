-- Prelude: a ghost is an entry of a ready list without effect: its message has left the bucket, waits again, or is under a lease. LREM
-- would read the whole list, so the entry stays until it is at the head. The bucket counts its ghosts; without that, the census would take
-- them for orphans that are missing.
-- KEYS[1]  any key of the bucket
local ghosts_key = string.match(KEYS[1], '^.-}:') .. 'ghosts'
-- A script calls it after its first write: a full Redis refuses SET there.
local function add_ghosts(number)
  if number ~= 0 then
    redis.call('SET', ghosts_key, tonumber(redis.call('GET', ghosts_key) or 0) + number)
  end
end
