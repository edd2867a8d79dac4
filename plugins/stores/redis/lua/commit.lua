#!lua
-- One change: checks, writes the value once under its revision, points the record to it, moves the counter and appends to
-- the log, all or nothing. A log that holds too many bytes gives up its oldest entries at once.
--
-- KEYS: head, log, records of the type, values of the type; where there is a guard, the records of the guard's type
-- ARGV: epoch, highest revision the server has seen, session of the connection, id of the commit, expected revision,
--       type, key, operation (c, u or d), value, bytes that the log may hold, beginning of the keys of values,
--       remainder and step of the revisions of this shard, highest revision seen in any shard of the same order;
--       where there is a guard, its key and the revision at which it must be
-- Answers the new revision as a number, or a list: a word that says why not, the revision and the value that are there
local head = redis.call('HMGET', KEYS[1], 'epoch', 'rev', 'fence:' .. ARGV[3], 'floor', 'bytes', 'n:' .. ARGV[6])
local last = tonumber(head[2])
if head[1] ~= ARGV[1] or last < tonumber(ARGV[2]) then return {'EpochChanged'} end
if head[3] then return {'Fenced'} end
local count = tonumber(head[6] or '0')
if redis.call('HLEN', KEYS[3]) ~= count then return {'Incomplete'} end

if KEYS[5] and redis.call('HGET', KEYS[5], ARGV[15]) ~= ARGV[16] then return {'Guarded'} end

local current = redis.call('HGET', KEYS[3], ARGV[7])
if ARGV[8] == 'c' then
  if current then return {'Exists', current, redis.call('HGET', KEYS[4], current)} end
else
  if not current then return {'Missing'} end
  if current ~= ARGV[5] then return {'Mismatch', current, redis.call('HGET', KEYS[4], current)} end
end

local revision = last + 1
if ARGV[13] ~= '1' then
  local highest = math.max(last, tonumber(ARGV[14]))
  revision = highest + 1 + (tonumber(ARGV[12]) - highest - 1) % tonumber(ARGV[13])
end
local text = string.format('%.0f', revision)
local time = redis.call('TIME')
local entry = string.format('%s %.0f %s %s %d\n', ARGV[8], time[1] * 1000 + math.floor(time[2] / 1000), current or '0', ARGV[4], #ARGV[6])
  .. ARGV[6] .. ARGV[7]
-- The log first: it refuses an ID that is not new, and then nothing has been written.
if revision == last + 1 then
  redis.call('XADD', KEYS[2], text .. '-0', 'e', entry)
else
  -- After which one it comes, where that is not the one before: so that a gap is noticed.
  redis.call('XADD', KEYS[2], text .. '-0', 'e', entry, 'a', head[2])
end
if ARGV[8] == 'd' then
  redis.call('HDEL', KEYS[3], ARGV[7])
else
  redis.call('HSET', KEYS[4], text, ARGV[9])
  redis.call('HSET', KEYS[3], ARGV[7], text)
end

-- What the log alone holds: its entries, and the values that have been replaced. compact.lua subtracts the same.
local bytes = tonumber(head[5]) + #entry + 100
if current then bytes = bytes + redis.call('HSTRLEN', KEYS[4], current) end
local floor = tonumber(head[4])
local cut
if bytes > tonumber(ARGV[10]) then
  for _, old in ipairs(redis.call('XRANGE', KEYS[2], '-', '(' .. text .. '-0', 'COUNT', '64')) do
    if bytes <= tonumber(ARGV[10]) then break end
    local previous, length, rest = string.match(old[2][2], '^%a %d+ (%d+) %S+ (%d+)\n(.*)')
    if previous ~= '0' then
      local values = ARGV[11] .. string.sub(rest, 1, tonumber(length))
      -- While the slot moves, these may be on the other node already: the next commit after that cuts further.
      local held = redis.pcall('HSTRLEN', values, previous)
      if type(held) == 'table' then break end
      bytes = bytes - held
      redis.call('HDEL', values, previous)
    end
    bytes = bytes - #old[2][2] - 100
    cut = tonumber(string.match(old[1], '^%d+'))
  end
  if cut then
    floor = math.max(floor, cut)
    redis.call('XTRIM', KEYS[2], 'MINID', string.format('%.0f-0', cut + 1))
  end
end

if ARGV[8] == 'c' then
  count = count + 1
elseif ARGV[8] == 'd' then
  count = count - 1
end
local update = {'rev', text, 'last', ARGV[4], 'bytes', string.format('%.0f', bytes)}
if cut then
  update[7] = 'floor'
  update[8] = string.format('%.0f', floor)
end
if ARGV[8] ~= 'u' then
  update[#update + 1] = 'n:' .. ARGV[6]
  update[#update + 1] = string.format('%d', count)
end
redis.call('HSET', KEYS[1], unpack(update))
return revision
