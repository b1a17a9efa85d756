-- Prelude: the topics whose messages consumers pull. The first rule that fits a topic decides (PulledTopics). A rule is one letter and a
-- text: E, e = the topic is this text; B, b = the topic begins with it; a capital letter = the topic is pulled.
-- Returns a function that tells whether a topic is pulled.
local function pulled_by(rules)
  return function(topic)
    for _, rule in ipairs(rules) do
      local kind, text = string.sub(rule, 1, 1), string.sub(rule, 2)
      local begins = kind == 'B' or kind == 'b'
      if topic == text or (begins and string.sub(topic, 1, #text) == text) then
        return kind == 'E' or kind == 'B'
      end
    end
    return false
  end
end
