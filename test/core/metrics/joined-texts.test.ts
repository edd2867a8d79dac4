import test from 'ava';
import {joinTexts} from '../../../core/metrics/joined-texts.js';
import {testTask} from '../../helpers/test-task.js';

const head = (name: string, type: string) => `# HELP ${name} [STABLE] Says it.\n# TYPE ${name} ${type}\n`;

test('each family stands once, with the series of all processes, which differ by their label', async (t) => {
  const one = `${head('a', 'counter')}a 1\na{x="{ }"} 2\n${head('b', 'histogram')}b_bucket{le="+Inf"} 3\nb_sum 1.5\nb_count 3\n`;
  const two = `${head('b', 'histogram')}b_bucket{le="+Inf"} 4\nb_sum 2\nb_count 4\n\n${head('c', 'gauge')}c{} 5\n`;
  t.is(
    await joinTexts(
      [
        {process: '1', text: one},
        {process: '2', text: two},
      ],
      'worker',
      testTask(),
    ),
    `${head('a', 'counter')}a{worker="1"} 1
a{worker="1",x="{ }"} 2
${head('b', 'histogram')}b_bucket{worker="1",le="+Inf"} 3
b_sum{worker="1"} 1.5
b_count{worker="1"} 3
b_bucket{worker="2",le="+Inf"} 4
b_sum{worker="2"} 2
b_count{worker="2"} 4
${head('c', 'gauge')}c{worker="2"} 5
`,
  );
});

test('the end of OpenMetrics stands once, at the end', async (t) => {
  const texts = ['1', '2'].map((process) => ({process, text: `${head('a', 'gauge')}a ${process} # {trace="x"} 1\n# EOF\n`}));
  t.is(
    await joinTexts(texts, 'worker', testTask()),
    `${head('a', 'gauge')}a{worker="1"} 1 # {trace="x"} 1\na{worker="2"} 2 # {trace="x"} 1\n# EOF\n`,
  );
});
