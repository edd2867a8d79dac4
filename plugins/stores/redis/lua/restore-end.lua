#!lua
-- What was filled in is the store from now on. Servers that remember another one take it from the time that is noted here.
--
-- KEYS: head, log
-- ARGV: id of the restore
-- Answers: Other when another restore has begun, or Ok
local head = redis.call('HMGET', KEYS[1], 'restoring', 'rev')
if head[1] ~= ARGV[1] then return {'Other'} end
local clock = redis.call('TIME')
redis.call('HSET', KEYS[1], 'floor', head[2], 'accepted', string.format('%.0f', clock[1] * 1000 + math.floor(clock[2] / 1000)))
redis.call('HDEL', KEYS[1], 'restoring')
return {'Ok'}
