import type {Http2Result} from './measure-http2.js';
import type {MemoryUse} from './measure-http2-memory.js';
import {pairedTable} from './paired-cost.js';
import {tableText} from './table-text.js';

/** What HTTP/2 may cost to be on by default, in CPU over that of HTTP/1.1 (decision 108). */
const goal = 1.25;

/** The cost of HTTP/2 as tables. */
export function http2Report({processor, memory}: Http2Result): string {
  const blocks = processor[0]?.blocks ?? 0;
  return [
    `memory: what HTTP/2 costs the server on one shared connection, in ${blocks} blocks of four rounds; "times" is CPU over that of HTTP/1.1 on a connection for each request and watch`,
    pairedTable(processor, 'HTTP/1.1', goal),
    'kilobytes of memory for each: held behind a garbage collection, and resident',
    tableText([
      ['', 'of', 'HTTP/2', 'HTTP/1.1'],
      ...memory.map(({what, count, http2, http1}) => [what, String(count), kilobytes(http2), kilobytes(http1)]),
    ]),
  ].join('\n');
}

function kilobytes({held, resident}: MemoryUse): string {
  return `${(held / 1024).toFixed(1)}, ${(resident / 1024).toFixed(1)}`;
}
