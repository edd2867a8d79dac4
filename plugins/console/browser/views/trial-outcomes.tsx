import type {TrialOutcome} from '../api/trials.js';

/** What expressions came to, what they cost, and what is wrong with them. */
export function TrialOutcomes({outcomes}: {readonly outcomes: readonly TrialOutcome[]}) {
  if (outcomes.length === 0) return <p>There is no expression in it.</p>;
  return (
    <>
      {outcomes.map(({field, expression, type, typeError, error, cost, maximumCost, ...rest}) => (
        <section class="outcome">
          <h3>
            {field} <code>{expression}</code>
          </h3>
          <p>
            {error !== undefined && <span class="bad">{error}</span>}
            {'result' in rest && <Result value={rest.result} />}
            {error === undefined && !('result' in rest) && typeError === undefined && <span>It has a result that JSON cannot say.</span>}
            <small>
              {[
                type === undefined ? '' : `type ${type}`,
                cost === undefined ? '' : `cost ${cost}`,
                maximumCost === undefined ? '' : `at most ${maximumCost} by the schema`,
              ]
                .filter(Boolean)
                .join(', ')}
            </small>
          </p>
          {typeError !== undefined && <pre class="bad">{typeError}</pre>}
        </section>
      ))}
    </>
  );
}

function Result({value}: {readonly value: unknown}) {
  const kind = value === true ? 'good' : value === false ? 'bad' : '';
  return <code class={`result ${kind}`}>{typeof value === 'string' ? value : JSON.stringify(value, undefined, 1)}</code>;
}
