#!lua
-- Changes of one type, each for itself: checks, writes the value once under its revision, points the record to it and appends to the log, all or
-- nothing. The counter moves once for all. A log that holds too many bytes gives up its oldest entries at once.
--
-- KEYS: head, log, records of the type, values of the type; where there is a guard, the records of the guard's type
-- ARGV: epoch, highest revision the server has seen, session of the connection, type, bytes that the log may hold;
--       then for each change: id of the commit, expected revision, key, operation (c, u or d), value;
--       where there is a guard, its key and the revision at which it must be;
--       where several shards have one order, remainder and step of the revisions of this one and the highest revision seen in any, with spaces
-- Answers for each change the new revision as a number, or a list: a word that says why not, the revision and the value that are there
-- Arguments and commands are what it costs: what is not always needed is left out.
local first, width = 6, 5
local stop = #ARGV - (#ARGV - first + 1) % width
local head = redis.call('HMGET', KEYS[1], 'epoch', 'rev', 'fence:' .. ARGV[3], 'floor', 'bytes', 'n:' .. ARGV[4])
local last = tonumber(head[2])
local known = tonumber(head[6] or '0')
local refused
if head[1] ~= ARGV[1] or last < tonumber(ARGV[2]) then
  refused = 'EpochChanged'
elseif head[3] then
  refused = 'Fenced'
elseif KEYS[5] and redis.call('HGET', KEYS[5], ARGV[stop + 1]) ~= ARGV[stop + 2] then
  refused = 'Guarded'
end

local answers = {}
if refused then
  for i = first, stop, width do answers[#answers + 1] = {refused} end
  return answers
end

local time = redis.call('TIME')
-- Milliseconds: as text, since numbers take longer.
time = time[1] .. string.sub('00000' .. time[2], -6, -4)
local place = ' ' .. #ARGV[4] .. '\n' .. ARGV[4]
local lastText, lastId, count = head[2], nil, known
-- A record that is there may be changed whatever else is missing. One that is not may have been lost.
local complete
local remainder, step, seen
if #ARGV > stop + (KEYS[5] and 2 or 0) then remainder, step, seen = string.match(ARGV[#ARGV], '^(%d+) (%d+) (%d+)$') end
-- What the log alone holds: its entries, and the values that have been replaced. compact.lua subtracts the same.
local bytes = tonumber(head[5])

for i = first, stop, width do
  local key, operation = ARGV[i + 2], ARGV[i + 3]
  local current = redis.call('HGET', KEYS[3], key)
  local answer
  if not current and not complete then complete = redis.call('HLEN', KEYS[3]) == count end
  if not current and not complete then
    answer = {'Incomplete'}
  elseif operation == 'c' then
    if current then answer = {'Exists', current, redis.call('HGET', KEYS[4], current)} end
  elseif not current then
    answer = {'Missing'}
  elseif current ~= ARGV[i + 1] then
    answer = {'Mismatch', current, redis.call('HGET', KEYS[4], current)}
  end

  if not answer then
    local revision = last + 1
    if step then
      local highest = math.max(last, tonumber(seen))
      revision = highest + 1 + (tonumber(remainder) - highest - 1) % tonumber(step)
    end
    local text = string.format('%.0f', revision)
    local entry = operation .. ' ' .. time .. ' ' .. (current or '0') .. ' ' .. ARGV[i] .. place .. key
    -- The log first: it refuses an ID that is not new, and then nothing of this change has been written.
    local added
    if revision == last + 1 then
      added = redis.pcall('XADD', KEYS[2], text .. '-0', 'e', entry)
    else
      -- After which one it comes, where that is not the one before: so that a gap is noticed.
      added = redis.pcall('XADD', KEYS[2], text .. '-0', 'e', entry, 'a', lastText)
    end
    if type(added) == 'table' then
      answer = {'Failed', added.err}
    else
      if operation == 'd' then
        redis.call('HDEL', KEYS[3], key)
        count = count - 1
      else
        redis.call('HSET', KEYS[4], text, ARGV[i + 4])
        redis.call('HSET', KEYS[3], key, text)
        if operation == 'c' then count = count + 1 end
      end
      bytes = bytes + #entry + 100
      if current then bytes = bytes + redis.call('HSTRLEN', KEYS[4], current) end
      answer, last, lastText, lastId = revision, revision, text, ARGV[i]
    end
  end
  answers[#answers + 1] = answer
end
if not lastId then return answers end

local cut
if bytes > tonumber(ARGV[5]) then
  local valuesOf = string.sub(KEYS[4], 1, -1 - #ARGV[4])
  for _, old in ipairs(redis.call('XRANGE', KEYS[2], '-', '(' .. lastText .. '-0', 'COUNT', 64 * #answers)) do
    if bytes <= tonumber(ARGV[5]) then break end
    local previous, length, rest = string.match(old[2][2], '^%a %d+ (%d+) %S+ (%d+)\n(.*)')
    if previous ~= '0' then
      local values = valuesOf .. string.sub(rest, 1, tonumber(length))
      -- While the slot moves, these may be on the other node already: the next commit after that cuts further.
      local held = redis.pcall('HSTRLEN', values, previous)
      if type(held) == 'table' then break end
      bytes = bytes - held
      redis.call('HDEL', values, previous)
    end
    bytes = bytes - #old[2][2] - 100
    cut = tonumber(string.match(old[1], '^%d+'))
  end
  if cut then redis.call('XTRIM', KEYS[2], 'MINID', string.format('%.0f-0', cut + 1)) end
end

local update = {'rev', lastText, 'last', lastId, 'bytes', string.format('%.0f', bytes)}
if cut then
  update[7] = 'floor'
  update[8] = string.format('%.0f', math.max(tonumber(head[4]), cut))
end
if count ~= known then
  update[#update + 1] = 'n:' .. ARGV[4]
  update[#update + 1] = string.format('%d', count)
end
redis.call('HSET', KEYS[1], unpack(update))
return answers
