import {useEffect, useMemo, useRef, useState} from 'preact/hooks';
import {findType} from '../../api/discovery.js';
import {LiveLog} from '../../api/live-log.js';
import {place, setQuery} from '../../api/location.js';
import {readObject} from '../../api/objects.js';
import {objectHref} from '../../api/places.js';
import type {ApiObject} from '../../api/types.js';
import {RefusalNotice} from '../../parts/notice.js';

const stateTexts = {live: 'Live', reconnecting: 'Connecting again', complete: 'Complete', refused: 'Refused'} as const;

interface PodSpec {
  readonly containers?: readonly {readonly name: string}[];
  readonly initContainers?: readonly {readonly name: string}[];
}

/** The log of a pod's container as it grows. */
export function LogsView({namespace, name}: {readonly namespace: string; readonly name: string}) {
  const {container = '', previous = ''} = place.value.query;
  const type = findType('', 'pods');
  const [containers, setContainers] = useState<readonly string[]>([]);
  const frame = useRef<HTMLPreElement>(null);
  useEffect(() => {
    if (!type) return;
    // Who may read the log need not be allowed to read the pod.
    readObject(type, {namespace, name}).then(
      (pod) => setContainers(containersOf(pod)),
      () => undefined,
    );
  }, [type]);
  const log = useMemo(
    () => new LiveLog({namespace, name, container, previous: previous === 'true'}),
    [namespace, name, container, previous],
  );
  useEffect(() => {
    log.start();
    return () => log.stop();
  }, [log]);
  const lines = log.lines.value;
  const error = log.error.value;
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
        <span class={`state ${log.state.value}`} role="status">
          {stateTexts[log.state.value]}
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
