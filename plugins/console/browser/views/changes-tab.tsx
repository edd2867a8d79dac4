import {comparable} from '../api/editable.js';
import {historyOf} from '../api/inspection.js';
import {place, setQuery} from '../api/location.js';
import type {ApiObject, ResourceType} from '../api/types.js';
import {managerOf, versionStep} from '../api/version-steps.js';
import {ageText, now} from '../parts/age.js';
import {EditorFrame, useEditor} from '../parts/editor-frame.js';
import {RefusalNotice} from '../parts/notice.js';
import {Scroll} from '../parts/scroll.js';
import {usePolled} from '../parts/use-polled.js';

/** Of several changes within this time all are asked for at once. */
const settleMillis = 1000;

const words = {ADDED: 'created', MODIFIED: 'changed', DELETED: 'deleted', EXISTING: 'as it was before'} as const;
const unknowns = {
  '': '',
  before: 'What it was before this change is not known any more.',
  version: 'The server cannot read this version.',
} as const;

export interface ChangesTabProps {
  readonly type: ResourceType;
  readonly named: {readonly namespace: string; readonly name: string};
  /** Changes with the object. */
  readonly state: string;
}

/** What became of the object in the last five minutes, version by version. */
export function ChangesTab({type, named, state}: ChangesTabProps) {
  const library = useEditor();
  const {value: history, error} = usePolled((signal) => historyOf(type, named, signal), settleMillis, {
    about: [named.namespace, named.name],
    state,
  });
  if (error !== undefined && !history) return <RefusalNotice error={error} />;
  if (!history || !library)
    return (
      <p class="empty" role="status">
        Loading
      </p>
    );
  const {versions, leftOut} = history;
  const chosen = versions.findIndex((version) => version.resourceVersion === place.value.query['version']);
  const index = chosen < 0 ? versions.length - 1 : chosen;
  const shown = versions[index];
  const step = shown && versionStep(versions, index);
  const textOf = (state: ApiObject | undefined) => (state ? library.yamlText(comparable(state)) : '');
  return (
    <div class="beside">
      <Scroll label="Versions of the last five minutes">
        {error !== undefined && <RefusalNotice error={error} />}
        <ul class="versions">
          {versions
            .map((version, at) => ({...version, at, manager: managerOf(versions, at)}))
            .toReversed()
            .map(({resourceVersion: known, type: kind, time = '', at, manager}) => (
              <li key={known}>
                <button
                  type="button"
                  class="plain"
                  aria-pressed={at === index}
                  onClick={() => setQuery({version: at === versions.length - 1 ? '' : known})}
                >
                  <span>{words[kind]}</span>{' '}
                  <small>
                    {time !== '' && `${ageText(Date.parse(time), now.value)} ago, `}version {known}
                    {manager !== '' && `, by ${manager}`}
                  </small>
                </button>
              </li>
            ))}
        </ul>
        {leftOut > 0 && <p class="hint">{leftOut} older changes are left out.</p>}
        {versions.every(({type: kind}) => kind === 'EXISTING') && <p class="hint">Nothing has changed it in the last five minutes.</p>}
        {step && step.unknown !== '' && <p class="notice">{unknowns[step.unknown]}</p>}
      </Scroll>
      {shown && step && (
        <EditorFrame key={shown.resourceVersion} make={(parent) => library.diffView(parent, textOf(step.before), textOf(step.after))} />
      )}
    </div>
  );
}
