#!lua flags=allow-oom
-- Moves the counter of a shard on, so that it gives out no revision up to a given one any more, and says so in the log. Shards that have
-- one order in common do that when another one is ahead: who reads them all knows then that nothing is missing up to there.
--
-- KEYS: head, log
-- ARGV: epoch, highest revision the server has seen, id, revision, remainder and step of the revisions of this shard
-- Answers: EpochChanged, or Ok, the counter and the id of the last entry
local head = redis.call('HMGET', KEYS[1], 'epoch', 'rev', 'last', 'bytes')
if head[1] ~= ARGV[1] or tonumber(head[2]) < tonumber(ARGV[2]) then return {'EpochChanged'} end
local last, upTo = tonumber(head[2]), tonumber(ARGV[4])
local remainder, step = tonumber(ARGV[5]), tonumber(ARGV[6])
if last + 1 + (remainder - last - 1) % step > upTo then return {'Ok', head[2], head[3]} end

local text = string.format('%.0f', upTo - (upTo - remainder) % step)
local time = redis.call('TIME')
local entry = string.format('p %.0f 0 %s 0\n', time[1] * 1000 + math.floor(time[2] / 1000), ARGV[3])
redis.call('XADD', KEYS[2], text .. '-0', 'e', entry, 'a', head[2])
redis.call('HSET', KEYS[1], 'rev', text, 'last', ARGV[3], 'bytes', string.format('%.0f', tonumber(head[4]) + #entry + 100))
return {'Ok', text, ARGV[3]}
