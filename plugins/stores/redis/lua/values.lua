#!lua flags=no-writes,allow-oom
-- The values of revisions, in the order in which they are asked for, until there are too many bytes for one answer.
--
-- KEYS: head, log, values of the types in question (a cluster refuses the script while some of them are on their way)
-- ARGV: epoch, bytes after which to stop, then for each run of values of one type: which of KEYS has them, how many, their revisions
-- Answers: EpochChanged, or the floor and the values; one that is not there (any more) is null
local head = redis.call('HMGET', KEYS[1], 'epoch', 'floor')
if head[1] ~= ARGV[1] then return {'EpochChanged'} end
local answer = {head[2]}
local bytes = 0
local run = 3
while run <= #ARGV do
  local last = run + 1 + ARGV[run + 1]
  -- Several in one command: a command costs more than a value. Not all, so that the bytes stay within bounds.
  for from = run + 2, last, 8 do
    for _, value in ipairs(redis.call('HMGET', KEYS[tonumber(ARGV[run])], unpack(ARGV, from, math.min(from + 7, last)))) do
      answer[#answer + 1] = value
      if value then bytes = bytes + #value end
    end
    if bytes >= tonumber(ARGV[2]) then return answer end
  end
  run = last + 1
end
return answer
