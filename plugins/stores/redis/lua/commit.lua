#!lua
-- One change: checks, writes the record, moves the counter and appends to the log, all or nothing.
--
-- KEYS: head, log, records of the type
-- ARGV: epoch, highest revision the server has seen, session of the connection, id of the commit, expected revision,
--       type, key, operation (c, u or d), value
-- Answers the new revision as a number, or a list: a word that says why not, and the record that is there
local head = redis.call('HMGET', KEYS[1], 'epoch', 'rev', 'fence:' .. ARGV[3])
if head[1] ~= ARGV[1] or tonumber(head[2]) < tonumber(ARGV[2]) then return {'EpochChanged'} end
if head[3] then return {'Fenced'} end

local current = redis.call('HGET', KEYS[3], ARGV[7])
if ARGV[8] == 'c' then
  if current then return {'Exists', current} end
else
  if not current then return {'Missing'} end
  if string.match(current, '^%d+') ~= ARGV[5] then return {'Mismatch', current} end
end

local revision = tonumber(head[2]) + 1
local text = string.format('%.0f', revision)
local time = redis.call('TIME')
-- The log first: it refuses an ID that is not new, and then nothing has been written.
redis.call('XADD', KEYS[2], text .. '-0',
  'o', ARGV[8], 't', ARGV[6], 'k', ARGV[7], 'v', ARGV[9], 'p', current or '',
  'm', string.format('%.0f', time[1] * 1000 + math.floor(time[2] / 1000)), 'c', ARGV[4])
if ARGV[8] == 'd' then
  redis.call('HDEL', KEYS[3], ARGV[7])
else
  redis.call('HSET', KEYS[3], ARGV[7], text .. '\0' .. ARGV[9])
end
redis.call('HSET', KEYS[1], 'rev', text, 'last', ARGV[4])
return revision
