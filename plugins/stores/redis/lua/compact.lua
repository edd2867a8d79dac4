#!lua flags=allow-oom
-- Drops the old end of the log with the values that only it needs, a bounded number of entries in one call, and records the
-- floor. What the floor has passed is not read any more, also while some of it is still there.
-- Runs when memory is short (allow-oom), because it frees some.
--
-- KEYS: head, log, values of the types that have records (a cluster refuses the script while some of them are on their way)
-- ARGV: what to drop by: revision, age or bytes; up to which revision, or older than how many ms, or until how many bytes
--       are left; entries to drop in this call; beginning of the keys of values
-- Answers the number of entries dropped: 0 when there is nothing left to do
local head = redis.call('HMGET', KEYS[1], 'rev', 'floor', 'bytes')
if not head[1] then return 0 end
local revision = tonumber(head[1])
local floor = tonumber(head[2])
local bytes = tonumber(head[3])
local by, limit = ARGV[1], tonumber(ARGV[2])
local time = redis.call('TIME')
local number = function(value) return string.format('%.0f', value) end

local upTo = floor
if by == 'revision' then
  upTo = math.max(floor, math.min(limit, revision))
elseif by == 'age' then
  -- The youngest entry that is too old is found by bisection.
  local before = time[1] * 1000 + math.floor(time[2] / 1000) - limit
  local high = revision
  while upTo < high do
    local middle = math.ceil((upTo + high) / 2)
    local entry = redis.call('XRANGE', KEYS[2], number(middle) .. '-0', number(high) .. '-0', 'COUNT', '1')[1]
    if entry and tonumber(string.match(entry[2][2], '^%a (%d+)')) < before then
      upTo = tonumber(string.match(entry[1], '^%d+'))
    else
      high = middle - 1
    end
  end
  -- Fences of connections lost an hour ago: nothing of them can still be on its way.
  local fields = redis.call('HGETALL', KEYS[1])
  for i = 1, #fields, 2 do
    if string.sub(fields[i], 1, 6) == 'fence:' and tonumber(fields[i + 1]) < time[1] - 3600 then
      redis.call('HDEL', KEYS[1], fields[i])
    end
  end
else
  upTo = bytes > limit and revision or floor
end

local dropped, last = 0, nil
for _, entry in ipairs(redis.call('XRANGE', KEYS[2], '-', number(upTo) .. '-0', 'COUNT', ARGV[3])) do
  if by == 'bytes' and bytes <= limit then break end
  local previous, length, rest = string.match(entry[2][2], '^%a %d+ (%d+) %S+ (%d+)\n(.*)')
  if previous ~= '0' then
    local values = ARGV[4] .. string.sub(rest, 1, tonumber(length))
    -- While the slot moves, these may be on the other node already: the rest of the log goes after that.
    local held = redis.pcall('HSTRLEN', values, previous)
    if type(held) == 'table' then break end
    bytes = bytes - held
    redis.call('HDEL', values, previous)
  end
  bytes = bytes - #entry[2][2] - 100
  dropped = dropped + 1
  last = tonumber(string.match(entry[1], '^%d+'))
end
if by == 'bytes' then upTo = math.max(floor, last or 0) end
if last then redis.call('XTRIM', KEYS[2], 'MINID', number(last + 1) .. '-0') end
if upTo > floor or last then
  redis.call('HSET', KEYS[1], 'floor', number(upTo), 'bytes', number(math.max(0, bytes)))
end
return dropped
