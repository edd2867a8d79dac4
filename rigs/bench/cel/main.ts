// What each function, operator and macro of expressions costs here, beside what it is charged: npm run cel-costs
import {tableText} from '../table-text.js';
import {costCases} from './cost-cases.js';
import {functionNames, measureCost} from './measure-cost.js';

const sizes = [10, 1_000, 200_000];
/** More is a fault: 10,000 steps take at most a millisecond of processor time, and an evaluation is over after 50. */
const allowed = {millisPerTenThousand: 1, evaluationMillis: 50};

const rows = [['expression', 'size', 'steps', 'ms/10,000', 'longest ms', '']];
let dear = 0;
for (const costCase of costCases) {
  for (const size of sizes) {
    const {steps, longestMillis, millisPerTenThousand, internalError} = measureCost(costCase, size);
    const isDear =
      millisPerTenThousand > allowed.millisPerTenThousand || longestMillis > allowed.evaluationMillis || internalError !== undefined;
    if (isDear) dear += 1;
    const shown = [String(size), steps.toFixed(0), millisPerTenThousand.toFixed(2), longestMillis.toFixed(1)];
    rows.push([costCase.expression, ...shown, isDear ? (internalError ?? 'dear') : '']);
  }
}
const unmeasured = [...functionNames()].filter((name) => !costCases.some(({expression}) => new RegExp(`\\b${name}\\(`).test(expression)));
process.stdout.write(`${tableText(rows)}\n\n${rows.length - 1} measured, ${dear} dearer than charged\n`);
if (unmeasured.length > 0) process.stdout.write(`not measured: ${unmeasured.join(', ')}\n`);
process.exitCode = dear > 0 || unmeasured.length > 0 ? 1 : 0;
