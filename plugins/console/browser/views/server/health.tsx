import {serverFacts} from '../../api/facts.js';
import {Refusal, request} from '../../api/request.js';
import {readVersion} from '../../api/server-facts.js';
import {RefusalNotice} from '../../parts/notice.js';
import {usePolled} from '../../parts/use-polled.js';
import {FactsTable} from './facts-table.js';

const checkMillis = 5000;
const versionMillis = 60_000;

/** A line of `/readyz?verbose`. */
interface Check {
  readonly name: string;
  readonly isGood: boolean;
}

export function VersionTable() {
  const {value: version, error} = usePolled(readVersion, versionMillis);
  const {platform, release} = serverFacts();
  if (error !== undefined && version === undefined) return <RefusalNotice error={error} />;
  return (
    <FactsTable
      rows={[
        ['Version', version?.gitVersion],
        ['Kubernetes', release],
        ['Platform', platform],
        ['Machine', version?.platform],
      ]}
    />
  );
}

export function Checks() {
  const {value: checks, error} = usePolled(readChecks, checkMillis);
  return (
    <>
      {error !== undefined && <RefusalNotice error={error} />}
      <ul class="checks">
        {checks?.map(({name, isGood}) => (
          <li class={isGood ? 'good' : 'bad'}>
            <span aria-hidden="true">{isGood ? '✓' : '✕'}</span> {name}
            {!isGood && ' fails'}
          </li>
        ))}
      </ul>
    </>
  );
}

/** @throws Refusal if there is no answer at all */
async function readChecks(signal: AbortSignal): Promise<readonly Check[]> {
  let text: string;
  try {
    text = await (await request('/readyz?verbose', {accept: 'text/plain', signal})).text();
  } catch (refused) {
    // A check that fails answers 500, with the same lines.
    if (!(refused instanceof Refusal) || refused.code !== 500) throw refused;
    text = refused.message;
  }
  return [...text.matchAll(/^\[([+-])\](\S+)/gm)].map(([, sign, name = '']) => ({name, isGood: sign === '+'}));
}
