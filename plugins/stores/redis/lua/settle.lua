#!lua flags=allow-oom
-- Finds out which commits of a lost connection took effect. Fences the connection's session first: a commit that still
-- sits in the buffer of the old socket is refused when it arrives, so the answer is final.
--
-- KEYS: head, log
-- ARGV: epoch, session, revision after which to look, entries to look at in this call, ids of commits
-- Answers EpochChanged, or: Done or More, the revision up to which was looked, whether the log was complete (0 or 1:
-- it may have been compacted), then pairs of id and revision
local head = redis.call('HMGET', KEYS[1], 'epoch', 'floor')
if head[1] ~= ARGV[1] then return {'EpochChanged'} end
redis.call('HSET', KEYS[1], 'fence:' .. ARGV[2], redis.call('TIME')[1])

local wanted = {}
for i = 5, #ARGV do wanted[ARGV[i]] = true end
local entries = redis.call('XRANGE', KEYS[2], '(' .. ARGV[3] .. '-0', '+', 'COUNT', ARGV[4])
local answer = {#entries < tonumber(ARGV[4]) and 'Done' or 'More', ARGV[3], tonumber(head[2]) > tonumber(ARGV[3]) and '0' or '1'}
for _, entry in ipairs(entries) do
  local revision = string.match(entry[1], '^%d+')
  answer[2] = revision
  local id = string.match(entry[2][2], '^%a %d+ %d+ (%S+)')
  if wanted[id] then
    answer[#answer + 1] = id
    answer[#answer + 1] = revision
  end
end
return answer
