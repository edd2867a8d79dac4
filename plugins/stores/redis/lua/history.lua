#!lua flags=no-writes,allow-oom
-- One page of the log, of some types only, so that the entries of all others are not sent.
--
-- KEYS: head, log
-- ARGV: epoch, revision after which to read, revision up to which, entries to look at in this call, types
-- Answers: EpochChanged, or the floor, the revision up to which was read, and the entries
local head = redis.call('HMGET', KEYS[1], 'epoch', 'floor')
if head[1] ~= ARGV[1] then return {'EpochChanged'} end
local wanted = {}
for index = 5, #ARGV do wanted[ARGV[index]] = true end
local entries = redis.call('XRANGE', KEYS[2], '(' .. ARGV[2] .. '-0', ARGV[3] .. '-0', 'COUNT', ARGV[4])
local upTo = ARGV[3]
if #entries == tonumber(ARGV[4]) then upTo = string.match(entries[#entries][1], '^%d+') end
local answer = {head[2], upTo}
for _, entry in ipairs(entries) do
  local length, rest = string.match(entry[2][2], '^%a %d+ %d+ %S+ (%d+)\n(.*)')
  if wanted[string.sub(rest, 1, tonumber(length))] then answer[#answer + 1] = entry end
end
return answer
