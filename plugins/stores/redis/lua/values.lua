#!lua flags=no-writes,allow-oom
-- The values of revisions, in the order in which they are asked for, until there are too many bytes for one answer.
--
-- KEYS: head, log, values of the types in question (a cluster refuses the script while some of them are on their way)
-- ARGV: epoch, bytes after which to stop, beginning of the keys of values, then pairs of type and revision
-- Answers: EpochChanged, or the floor and the values; one that is not there (any more) is null
local head = redis.call('HMGET', KEYS[1], 'epoch', 'floor')
if head[1] ~= ARGV[1] then return {'EpochChanged'} end
local answer = {head[2]}
local bytes = 0
for i = 4, #ARGV, 2 do
  local value = redis.call('HGET', ARGV[3] .. ARGV[i], ARGV[i + 1])
  answer[#answer + 1] = value
  bytes = bytes + (value and #value or 0)
  if bytes >= tonumber(ARGV[2]) then break end
end
return answer
