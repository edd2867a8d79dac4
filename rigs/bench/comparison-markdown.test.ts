import test from 'ava';
import {comparisonMarkdown} from './comparison-markdown.js';
import type {ComparisonCell} from './comparison-cell.js';

const cell = (cpu: number, timesFloor: number | undefined, failures = 0): ComparisonCell => ({
  cpu,
  spread: 0.04,
  timesFloor,
  rate: 1,
  p99: 12.34,
  failures,
  firstFailure: undefined,
});
const memory = (loaded: number, rested?: number) => ({idle: 100, filled: 120, loaded, rested});
const result = {
  subjects: ['floor', 'memory', 'embedded', 'kube-apiserver'],
  turns: 5,
  rows: [
    {name: 'create', cells: [cell(0.1, 1), cell(0.4, 4), cell(0.5, 5), cell(1.5, 15, 2)]},
    {name: 'paging by 500', cells: [undefined, cell(10, undefined), cell(12, undefined), cell(60, undefined)]},
  ],
  memory: [memory(70), memory(200, 150), memory(250), memory(500)],
  profiles: [],
};
const where = {date: new Date('2026-11-27T10:00:00Z'), machine: '2 cores', load: 0.2, versions: ['Node.js 24.0.0', 'etcd 3.5.16']};

test('the table for a page has spreads, multiples of the bare server, and what kube-apiserver takes over the embedded store', (t) => {
  const text = comparisonMarkdown(result, where).get('comparison')!;
  t.true(text.startsWith('Measured on 2026-11-27, 5 turns, on 2 cores: Node.js 24.0.0, etcd 3.5.16.'));
  t.true(text.includes('| create | 0.100 ±4 % | 0.400 ±4 %, ×4.0 | 0.500 ±4 %, ×5.0 | 1.50 ±4 %, ×15.0, 2 failed | 3.0 |'), text);
  t.true(text.includes('| paging by 500 | | 10.0 ±4 % | 12.0 ±4 % | 60.0 ±4 % | 5.0 |'));
  t.true(text.includes('| a minute later | | 150 | | |'));
  const once = comparisonMarkdown({...result, turns: 1}, where).get('comparison')!;
  t.true(once.includes(', 1 turn, ') && once.includes('| create | 0.100 | 0.400, ×4.0 |'), 'one turn has no spread');
});

test('the short table has the servers that keep on disk what they answer, and tells of other work', (t) => {
  const text = comparisonMarkdown(result, {...where, load: 4}).get('comparison in short')!;
  t.true(text.includes('with other work (load 4.0 before it began)'));
  t.true(text.includes('| CPU s for 1,000 | Orch, embedded | kube-apiserver, etcd | times less |'));
  t.true(text.includes('| create | 0.500 | 1.50 | 3.0 |'));
  t.false(text.includes('paging'));
  t.true(text.includes('| resident MB, idle · after all of it | 100 · 250 | 100 · 500 | 2.0 |'));
});
