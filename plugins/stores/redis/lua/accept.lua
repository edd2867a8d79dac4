#!lua flags=allow-oom
-- An operator accepts that data is missing: counts are set to what is there, records without a value are dropped, and a new
-- epoch begins above everything that was ever seen. Servers that remember more take it from the time that is noted here.
--
-- KEYS: head, log
-- ARGV: beginning of the keys of records and values, highest revision that is remembered, a fresh id, distance to jump
-- Answers: revision of the new epoch, number of records that are left
local clock = redis.call('TIME')
local now = clock[1] * 1000 + math.floor(clock[2] / 1000)
local number = function(value) return string.format('%.0f', value) end
local head = redis.call('HMGET', KEYS[1], 'store', 'rev')
local last = 0
if redis.call('EXISTS', KEYS[2]) == 1 then
  local info = redis.call('XINFO', 'STREAM', KEYS[2])
  for i = 1, #info, 2 do
    if info[i] == 'last-generated-id' then last = tonumber(string.match(info[i + 1], '^%d+')) end
  end
end

local left = 0
local fields = redis.call('HGETALL', KEYS[1])
for i = 1, #fields, 2 do
  if string.sub(fields[i], 1, 2) == 'n:' then
    local type = string.sub(fields[i], 3)
    local records, values = ARGV[1] .. ':t:' .. type, ARGV[1] .. ':v:' .. type
    local cursor = '0'
    local lost = {}
    repeat
      local page = redis.call('HSCAN', records, cursor, 'COUNT', '1000')
      cursor = page[1]
      for j = 1, #page[2], 2 do
        if redis.call('HEXISTS', values, page[2][j + 1]) == 0 then lost[#lost + 1] = page[2][j] end
      end
    until cursor == '0'
    for _, key in ipairs(lost) do redis.call('HDEL', records, key) end
    local count = redis.call('HLEN', records)
    if tonumber(fields[i + 1]) ~= count then
      -- Nothing can refer to the other values any more: the log begins anew.
      local live = {}
      for _, revision in ipairs(redis.call('HVALS', records)) do live[revision] = true end
      for _, revision in ipairs(redis.call('HKEYS', values)) do
        if not live[revision] then redis.call('HDEL', values, revision) end
      end
    end
    left = left + count
    redis.call('HSET', KEYS[1], fields[i], number(count))
  end
end

local highest = math.max(tonumber(head[2] or '0'), tonumber(ARGV[2]), last)
local revision = clock[1] * 1000000 + clock[2]
if revision <= highest then revision = highest + tonumber(ARGV[4]) end
redis.call('HSET', KEYS[1], 'store', head[1] or ARGV[3], 'epoch', ARGV[3], 'rev', number(revision), 'floor', number(revision),
  'last', '', 'accepted', number(now))
redis.call('HDEL', KEYS[1], 'restoring')
redis.call('HSETNX', KEYS[1], 'bytes', '0')
return {number(revision), number(left)}
