#!lua flags=no-writes,allow-oom
-- One page of the log, of one type only, so that the entries of all others are not sent.
--
-- KEYS: head, log
-- ARGV: epoch, type, revision after which to read, revision up to which, entries to look at in this call
-- Answers: EpochChanged, or the floor, the revision up to which was read, and the entries
local head = redis.call('HMGET', KEYS[1], 'epoch', 'floor')
if head[1] ~= ARGV[1] then return {'EpochChanged'} end
local entries = redis.call('XRANGE', KEYS[2], '(' .. ARGV[3] .. '-0', ARGV[4] .. '-0', 'COUNT', ARGV[5])
local upTo = ARGV[4]
if #entries == tonumber(ARGV[5]) then upTo = string.match(entries[#entries][1], '^%d+') end
local answer = {head[2], upTo}
for _, entry in ipairs(entries) do
  local length, rest = string.match(entry[2][2], '^%a %d+ %d+ %S+ (%d+)\n(.*)')
  if string.sub(rest, 1, tonumber(length)) == ARGV[2] then answer[#answer + 1] = entry end
end
return answer
