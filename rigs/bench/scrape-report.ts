import type {ScrapeResult} from './measure-scrape.js';

/** What a scrape may cost the loop, in milliseconds. */
const goal = 5;

/** The cost of a scrape as text. */
export function scrapeReport(result: ScrapeResult): string {
  const {series, megabytes, total, most, turn, longestTurn, busyTurn, busyLongestTurn, unscrapedTurn, unscrapedLongestTurn} = result;
  const pair = (middle: number, greatest: number) => `${middle.toFixed(1)} ms (at most ${greatest.toFixed(1)})`;
  return [
    `memory: scrapes of ${series} samples, ${megabytes.toFixed(1)} MB, with 100 definitions and 2,000 objects; milliseconds of processor of the loop`,
    `in all             ${pair(total, most)}, goal ${goal} ms: ${result.failures > 0 ? `${result.failures} failures` : total < goal ? 'met' : 'missed'}`,
    `longest turn       ${pair(turn, longestTurn)}`,
    `beside 20 clients  ${pair(busyTurn, busyLongestTurn)}; without the scrape ${pair(unscrapedTurn, unscrapedLongestTurn)}`,
  ].join('\n');
}
