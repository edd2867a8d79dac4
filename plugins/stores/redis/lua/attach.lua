#!lua
-- Run on every new connection. Makes sure that this is still the history that the server has seen, and starts a new
-- one (epoch) when it is not, so that no revision is ever given out twice.
--
-- KEYS: head, log
-- ARGV: epoch known to the server ('' before its first connection), highest revision it has seen, id of the commit that
--       made it ('' when unknown), a fresh epoch in case one is needed, distance to jump beyond lost revisions
-- Answers: epoch, revision, floor, id of the last commit
local head = redis.call('HMGET', KEYS[1], 'epoch', 'rev', 'floor', 'last')
local epoch = head[1] or ''
local revision = tonumber(head[2] or '0')
local floor = tonumber(head[3] or '0')
local seen = tonumber(ARGV[2])

-- A counter behind what was seen: writes were lost, whichever epoch this is.
local lost = epoch == '' or revision < seen
if not lost and epoch == ARGV[1] and ARGV[3] ~= '' and seen > floor then
  -- The counter may have been driven past the lost revisions by another server: compare the commit itself.
  local entry = redis.call('XRANGE', KEYS[2], ARGV[2] .. '-0', ARGV[2] .. '-0')[1]
  lost = not entry or entry[2][14] ~= ARGV[3]
end

if lost then
  if redis.call('EXISTS', KEYS[2]) == 1 then
    local info = redis.call('XINFO', 'STREAM', KEYS[2])
    for i = 1, #info, 2 do
      if info[i] == 'last-generated-id' then
        revision = math.max(revision, tonumber(string.match(info[i + 1], '^%d+')))
      end
    end
  end
  revision = math.max(revision, seen)
  if revision > 0 then revision = revision + tonumber(ARGV[5]) end
  floor = revision
  epoch = ARGV[4]
  redis.call('UNLINK', KEYS[2])
  redis.call('HSET', KEYS[1], 'epoch', epoch, 'rev', string.format('%.0f', revision), 'floor', string.format('%.0f', floor), 'last', '')
  head[4] = ''
end
return {epoch, string.format('%.0f', revision), string.format('%.0f', floor), head[4] or ''}
