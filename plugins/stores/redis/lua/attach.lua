#!lua flags=allow-oom
-- Run on every new connection and every few seconds. Makes sure that this is still the history that the server has seen, and
-- starts a new one (epoch) when it is not, so that no revision is ever given out twice. Where data is missing it changes
-- nothing: that is for an operator to accept (accept.lua).
--
-- KEYS: head, log, and the records and values of each type that has any: a cluster refuses the script while some of them are on
-- their way to another node, where they would seem to be lost
-- ARGV: beginning of the keys of records and values; what the server remembers: store ('' before its first connection),
--       epoch, highest revision, id of the commit that made it ('' when unknown), time of its last attach; a fresh id in case
--       one is needed; distance to jump beyond lost revisions when the clock is behind them; run id of this Redis ('' when it does not tell); 1 when a
--       Redis that was restarted has kept every answered write
-- Answers: Missing, what (store, log, restoring, other, records or values), type, how many there are, how many there should be
-- or: Types, and all types that have records, when KEYS lacks those of some
-- or: Ok, store, epoch, revision, floor, id of the last commit, time in ms, why a new epoch was begun or ''
local clock = redis.call('TIME')
local now = clock[1] * 1000 + math.floor(clock[2] / 1000)
local fields = redis.call('HGETALL', KEYS[1])
local head = {}
for i = 1, #fields, 2 do head[fields[i]] = fields[i + 1] end
local number = function(value) return string.format('%.0f', value) end

local function lastLogged()
  local last = 0
  if redis.call('EXISTS', KEYS[2]) == 1 then
    local info = redis.call('XINFO', 'STREAM', KEYS[2])
    for i = 1, #info, 2 do
      if info[i] == 'last-generated-id' then last = tonumber(string.match(info[i + 1], '^%d+')) end
    end
  end
  return last
end

local known, knownEpoch, seen, seenId = ARGV[2], ARGV[3], tonumber(ARGV[4]), ARGV[5]
if not head.epoch then
  if known ~= '' then return {'Missing', 'store'} end
  if lastLogged() > 0 then return {'Missing', 'log'} end
  redis.call('HSET', KEYS[1], 'store', ARGV[7], 'epoch', ARGV[7], 'rev', '0', 'floor', '0', 'last', '', 'bytes', '0', 'run', ARGV[9], 'node', ARGV[10])
  return {'Ok', ARGV[7], ARGV[7], '0', '0', '', number(now), ''}
end

-- Half of a store is none: the tool that fills it removes this mark at its end.
if head.restoring then return {'Missing', 'restoring'} end

-- Another store in the place of the known one is accepted only by an operator, after this server saw the known one last.
if known ~= '' and head.store ~= known and tonumber(head.accepted or '0') <= tonumber(ARGV[6]) then
  return {'Missing', 'other'}
end
local named, types, unnamed = {}, {'Types'}, false
for i = 3, #KEYS, 2 do named[KEYS[i]] = true end
for field, count in pairs(head) do
  if string.sub(field, 1, 2) == 'n:' and tonumber(count) > 0 then
    local type = string.sub(field, 3)
    types[#types + 1] = type
    if not named[ARGV[1] .. ':t:' .. type] then unnamed = true end
  end
end
if unnamed then return types end
for field, count in pairs(head) do
  if string.sub(field, 1, 2) == 'n:' and tonumber(count) > 0 then
    local type = string.sub(field, 3)
    local found = redis.call('HLEN', ARGV[1] .. ':t:' .. type)
    if found ~= tonumber(count) then return {'Missing', 'records', type, number(found), count} end
    local values = redis.call('HLEN', ARGV[1] .. ':v:' .. type)
    if values < found then return {'Missing', 'values', type, number(values), count} end
  end
end

local revision = tonumber(head.rev)
local floor = tonumber(head.floor)
local why = ''
if revision < seen then
  why = 'behind'
elseif head.epoch == knownEpoch and seenId ~= '' and seen > floor then
  -- The counter may have been driven past the lost revisions by another server: compare the commit itself.
  local entry = redis.call('XRANGE', KEYS[2], ARGV[4] .. '-0', ARGV[4] .. '-0')[1]
  if not entry or string.match(entry[2][2], '^%a %d+ %d+ (%S+)') ~= seenId then why = 'other' end
end
if why == '' and ARGV[9] ~= '' and head.run ~= ARGV[9] then
  -- Nobody can know what another process has lost unless it promises to lose nothing: others may have seen more than this server.
  -- A slot that was moved to a node that is no former replica came over as it was.
  local moved = ARGV[10] ~= '' and head.node ~= ARGV[10]
  if ARGV[12] == '0' and (moved or ARGV[11] == '1') then
    redis.call('HSET', KEYS[1], 'run', ARGV[9], 'node', ARGV[10])
  else
    why = 'restarted'
  end
end

if why ~= '' then
  -- Microseconds since 1970 are above all revisions that were ever given out, also those that nobody here remembers: no history gives
  -- out one in a microsecond. Where the clock was set back, the jump has to do.
  local highest = math.max(revision, seen, lastLogged())
  revision = clock[1] * 1000000 + clock[2]
  if revision <= highest then revision = highest + tonumber(ARGV[8]) end
  floor = revision
  head.epoch, head.last = ARGV[7], ''
  -- What is left of the log lies below the floor: it is not read any more, and compact.lua removes it with its values.
  redis.call('HSET', KEYS[1], 'epoch', head.epoch, 'rev', number(revision), 'floor', number(floor), 'last', '', 'run', ARGV[9], 'node', ARGV[10])
end
return {'Ok', head.store, head.epoch, number(revision), number(floor), head.last or '', number(now), why}
