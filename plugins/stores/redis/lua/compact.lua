#!lua flags=allow-oom
-- Drops the old end of the log, a bounded number of entries in one call, and records the floor exactly. Whole nodes
-- of the stream are dropped (~), because cutting one open costs more; what is left below the floor is not read.
-- Runs when memory is short (allow-oom), because it frees some.
--
-- KEYS: head, log
-- ARGV: revision up to which to drop, or '' to drop by age; age in milliseconds; entries to drop in this call
-- Answers the number of entries dropped: 0 when there is nothing left to do
local head = redis.call('HMGET', KEYS[1], 'rev', 'floor')
if not head[1] then return 0 end
local revision = tonumber(head[1])
local floor = tonumber(head[2])
local time = redis.call('TIME')

local upTo = floor
if ARGV[1] ~= '' then
  upTo = math.min(tonumber(ARGV[1]), revision)
else
  -- Revisions have no gaps above the floor, so the youngest entry that is too old is found by bisection.
  local before = time[1] * 1000 + math.floor(time[2] / 1000) - tonumber(ARGV[2])
  local high = revision
  while upTo < high do
    local middle = math.ceil((upTo + high) / 2)
    local id = string.format('%.0f-0', middle)
    local entry = redis.call('XRANGE', KEYS[2], id, id)[1]
    if not entry or tonumber(entry[2][12]) < before then upTo = middle else high = middle - 1 end
  end
end

if upTo > floor then
  floor = upTo
  redis.call('HSET', KEYS[1], 'floor', string.format('%.0f', floor))
end

-- Fences of connections lost an hour ago: nothing of them can still be on its way.
local fields = redis.call('HGETALL', KEYS[1])
for i = 1, #fields, 2 do
  if string.sub(fields[i], 1, 6) == 'fence:' and tonumber(fields[i + 1]) < time[1] - 3600 then
    redis.call('HDEL', KEYS[1], fields[i])
  end
end
return redis.call('XTRIM', KEYS[2], 'MINID', '~', string.format('%.0f-0', floor + 1), 'LIMIT', ARGV[3])
