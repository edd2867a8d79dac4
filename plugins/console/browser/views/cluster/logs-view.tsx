import {useEffect, useRef, useState} from 'preact/hooks';
import {findType} from '../../api/discovery.js';
import {place, setQuery} from '../../api/location.js';
import {readObject} from '../../api/objects.js';
import {objectHref} from '../../api/places.js';
import {followLog} from '../../api/pod-log.js';
import type {ApiObject} from '../../api/types.js';
import {RefusalNotice} from '../../parts/notice.js';

/** Lines that the page keeps. */
const mostLines = 5000;
/** What comes is shown together, at most so often. */
const showMillis = 150;

interface PodSpec {
  readonly containers?: readonly {readonly name: string}[];
  readonly initContainers?: readonly {readonly name: string}[];
}

/** The log of a pod's container as it grows. */
export function LogsView({namespace, name}: {readonly namespace: string; readonly name: string}) {
  const {container = '', previous = ''} = place.value.query;
  const type = findType('', 'pods');
  const [containers, setContainers] = useState<readonly string[]>([]);
  const [lines, setLines] = useState<readonly string[]>([]);
  const [error, setError] = useState<unknown>();
  const [isOver, setOver] = useState(false);
  const frame = useRef<HTMLPreElement>(null);
  useEffect(() => {
    if (!type) return;
    // Who may read the log need not be allowed to read the pod.
    readObject(type, {namespace, name}).then(
      (pod) => setContainers(containersOf(pod)),
      () => undefined,
    );
  }, [type]);
  useEffect(() => {
    const abort = new AbortController();
    let text = '';
    let timer: ReturnType<typeof setTimeout> | undefined;
    const show = () => {
      timer = undefined;
      const all = text.split('\n').slice(-mostLines);
      text = all.join('\n');
      setLines(all);
    };
    setLines([]);
    setError(undefined);
    setOver(false);
    followLog({namespace, name, container, previous: previous === 'true', signal: abort.signal}, (piece) => {
      text += piece;
      timer ??= setTimeout(show, showMillis);
    }).then(
      () => setOver(true),
      (refused) => !abort.signal.aborted && setError(refused),
    );
    return () => {
      abort.abort();
      clearTimeout(timer);
    };
  }, [namespace, name, container, previous]);
  useEffect(() => {
    const element = frame.current!;
    // Whoever has scrolled up reads there.
    if (element.scrollHeight - element.scrollTop - element.clientHeight < 200) element.scrollTop = element.scrollHeight;
  }, [lines]);
  return (
    <>
      <div class="bar">
        <h1>Logs of {type ? <a href={objectHref(type, {namespace, name})}>{`${namespace}/${name}`}</a> : `${namespace}/${name}`}</h1>
        <label>
          Container{' '}
          <select value={container || containers[0]} onChange={(event) => setQuery({container: event.currentTarget.value})}>
            {containers.map((each) => (
              <option value={each}>{each}</option>
            ))}
          </select>
        </label>
        <label>
          <input
            type="checkbox"
            checked={previous === 'true'}
            onChange={(event) => setQuery({previous: event.currentTarget.checked ? 'true' : ''})}
          />{' '}
          of the run before
        </label>
        <span class="state" role="status">
          {isOver ? 'Complete' : 'Live'}
        </span>
      </div>
      {error !== undefined && <RefusalNotice error={error} />}
      <pre class="log" ref={frame} tabIndex={0} role="region" aria-label={`Log of ${namespace}/${name}`}>
        {lines.join('\n')}
      </pre>
    </>
  );
}

function containersOf(pod: ApiObject): string[] {
  const {containers = [], initContainers = []} = (pod['spec'] ?? {}) as PodSpec;
  return [...containers, ...initContainers].map(({name}) => name);
}
