#!lua flags=no-writes,allow-oom
-- One record.
--
-- KEYS: head, records of the type, values of the type
-- ARGV: epoch, key
-- Answers: EpochChanged, Missing, or Found, its revision and its value
if redis.call('HGET', KEYS[1], 'epoch') ~= ARGV[1] then return {'EpochChanged'} end
local revision = redis.call('HGET', KEYS[2], ARGV[2])
if not revision then return {'Missing'} end
return {'Found', revision, redis.call('HGET', KEYS[3], revision)}
