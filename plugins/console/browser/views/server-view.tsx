import {useEffect, useState} from 'preact/hooks';
import {serverFacts} from '../api/facts.js';
import {Refusal, request, requestJson} from '../api/request.js';
import {RefusalNotice} from '../parts/notice.js';
import {Scroll} from '../parts/scroll.js';
import {Curves} from './curves.js';

const checkMillis = 5000;

interface Version {
  readonly gitVersion?: string;
  readonly platform?: string;
  readonly buildDate?: string;
  readonly goVersion?: string;
}

/** A line of `/readyz?verbose`. */
interface Check {
  readonly name: string;
  readonly isGood: boolean;
}

/** What the server is and how it does. */
export function ServerView() {
  return (
    <>
      <div class="bar">
        <h1>Server</h1>
      </div>
      <Scroll label="About the server">
        <VersionTable />
        <h2>Health</h2>
        <Checks />
        <h2>Now</h2>
        <Curves />
        <Flags />
      </Scroll>
    </>
  );
}

function VersionTable() {
  const [version, setVersion] = useState<Version>();
  const [error, setError] = useState<unknown>();
  useEffect(() => void requestJson<Version>('/version').then(setVersion, setError), []);
  const {platform, release} = serverFacts();
  if (error !== undefined) return <RefusalNotice error={error} />;
  const rows = [
    ['Version', version?.gitVersion],
    ['Kubernetes', release],
    ['Platform', platform],
    ['Machine', version?.platform],
  ] as const;
  return (
    <table class="plain facts">
      <tbody>
        {rows.map(([name, value]) => (
          <tr>
            <th scope="row">{name}</th>
            <td>{value}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function Checks() {
  const [checks, setChecks] = useState<readonly Check[]>();
  const [error, setError] = useState<unknown>();
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout>;
    let isOver = false;
    const look = async () => {
      try {
        const found = await readChecks();
        setChecks(found);
        setError(undefined);
      } catch (refused) {
        setError(refused);
      }
      if (!isOver) timer = setTimeout(() => void look(), checkMillis);
    };
    void look();
    return () => {
      isOver = true;
      clearTimeout(timer);
    };
  }, []);
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
async function readChecks(): Promise<readonly Check[]> {
  let text: string;
  try {
    text = await (await request('/readyz?verbose', {accept: 'text/plain'})).text();
  } catch (refused) {
    // A check that fails answers 500, with the same lines.
    if (!(refused instanceof Refusal) || refused.code !== 500) throw refused;
    text = refused.message;
  }
  return [...text.matchAll(/^\[([+-])\](\S+)/gm)].map(([, sign, name = '']) => ({name, isGood: sign === '+'}));
}

/** Values of all flags, in releases that show them to users who may look. */
function Flags() {
  const [text, setText] = useState<string>();
  useEffect(() => {
    void request('/flagz', {accept: 'text/plain'}).then(
      async (response) => setText(await response.text()),
      // Not there, or not for this user.
      () => undefined,
    );
  }, []);
  const rows = (text ?? '').split('\n').flatMap((line) => {
    const [, name, value] = /^([\w-]+)\s*[=:]\s*(.*)$/.exec(line) ?? [];
    return name === undefined ? [] : [{name, value}];
  });
  if (rows.length === 0) return null;
  return (
    <>
      <h2>Flags</h2>
      <table class="plain facts">
        <tbody>
          {rows.map(({name, value}) => (
            <tr>
              <th scope="row">--{name}</th>
              <td>{value}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </>
  );
}
