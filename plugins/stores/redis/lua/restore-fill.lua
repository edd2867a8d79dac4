#!lua
-- Stores records in a shard that is being restored.
--
-- KEYS: head, log
-- ARGV: beginning of the keys of records and values, id of the restore, remainder and step of the revisions of this shard, then a type, a key and a value for each record
-- Answers: Other when another restore has begun, or Ok
local head = redis.call('HMGET', KEYS[1], 'restoring', 'rev')
if head[1] ~= ARGV[2] then return {'Other'} end
local revision = tonumber(head[2])
local added = {}
local remainder, step = tonumber(ARGV[3]), tonumber(ARGV[4])
for i = 5, #ARGV, 3 do
  local type = ARGV[i]
  local records, values = ARGV[1] .. ':t:' .. type, ARGV[1] .. ':v:' .. type
  revision = revision + 1 + (remainder - revision - 1) % step
  local text = string.format('%.0f', revision)
  local replaced = redis.call('HGET', records, ARGV[i + 1])
  if replaced then
    redis.call('HDEL', values, replaced)
  else
    added[type] = (added[type] or 0) + 1
  end
  redis.call('HSET', values, text, ARGV[i + 2])
  redis.call('HSET', records, ARGV[i + 1], text)
end
for type, count in pairs(added) do redis.call('HINCRBY', KEYS[1], 'n:' .. type, count) end
redis.call('HSET', KEYS[1], 'rev', string.format('%.0f', revision))
return {'Ok'}
