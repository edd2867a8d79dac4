#!lua
-- Prepares a shard to be filled: what it holds goes, and no server uses it before restore-end.lua. Its revisions begin above
-- everything that was ever given out.
--
-- KEYS: head, log
-- ARGV: beginning of the keys of records and values, id of the restore, 1 when records may go, highest revision that is known,
--       distance to jump when the clock is behind it, run id and cluster node of this Redis
-- Answers: NotEmpty and the number of records, or Ok
local fields = redis.call('HGETALL', KEYS[1])
local head = {}
for i = 1, #fields, 2 do head[fields[i]] = fields[i + 1] end
local number = function(value) return string.format('%.0f', value) end

local records = 0
for field, count in pairs(head) do
  if string.sub(field, 1, 2) == 'n:' then records = records + tonumber(count) end
end
if records > 0 and not head.restoring and ARGV[3] ~= '1' then return {'NotEmpty', number(records)} end

local last = tonumber(head.rev or '0')
if redis.call('EXISTS', KEYS[2]) == 1 then
  local info = redis.call('XINFO', 'STREAM', KEYS[2])
  for i = 1, #info, 2 do
    if info[i] == 'last-generated-id' then last = math.max(last, tonumber(string.match(info[i + 1], '^%d+'))) end
  end
end
for field in pairs(head) do
  if string.sub(field, 1, 2) == 'n:' then
    local type = string.sub(field, 3)
    redis.call('UNLINK', ARGV[1] .. ':t:' .. type, ARGV[1] .. ':v:' .. type)
  end
end
redis.call('UNLINK', KEYS[1], KEYS[2])

local clock = redis.call('TIME')
local highest = math.max(last, tonumber(ARGV[4]))
local revision = clock[1] * 1000000 + clock[2]
if revision <= highest then revision = highest + tonumber(ARGV[5]) end
redis.call('HSET', KEYS[1], 'restoring', ARGV[2], 'store', ARGV[2], 'epoch', ARGV[2], 'rev', number(revision), 'floor', number(revision),
  'last', '', 'bytes', '0', 'run', ARGV[6], 'node', ARGV[7])
return {'Ok'}
