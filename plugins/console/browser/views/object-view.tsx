import {useEffect, useState} from 'preact/hooks';
import {ownAccess} from '../api/access.js';
import {goTo, hrefOf, place} from '../api/location.js';
import {LiveObject} from '../api/live-object.js';
import {listHref} from '../api/places.js';
import {playgroundHref} from '../api/playground-place.js';
import type {ApiObject, ResourceType} from '../api/types.js';
import {RefusalNotice, TroubleNotice} from '../parts/notice.js';
import {chosenTab, TabList} from '../parts/tab-list.js';
import {ChangesTab} from './changes-tab.js';
import {ConditionsTab} from './conditions-tab.js';
import {DeleteDialog} from './delete-dialog.js';
import {FieldsTab} from './fields-tab.js';
import {OwnersTab} from './owners-tab.js';
import {ScaleForm} from './scale-form.js';
import {YamlTab} from './yaml-tab.js';

const tabs = {
  yaml: 'YAML',
  conditions: 'Conditions and events',
  changes: 'Changes',
  owners: 'Owners and dependents',
  fields: 'Managed fields',
} as const;

export interface ObjectViewProps {
  readonly type: ResourceType;
  readonly namespace: string;
  readonly name: string;
}

/** One object, as it changes. */
export function ObjectView({type, namespace, name}: ObjectViewProps) {
  const [live, setLive] = useState<LiveObject>();
  const [isDeleting, setDeleting] = useState(false);
  const [may, setMay] = useState({update: true, delete: true});
  useEffect(() => {
    const followed = new LiveObject(type, {namespace, name});
    setLive(followed);
    followed.start();
    return () => followed.stop();
  }, [type.group, type.resource, type.version, namespace, name]);
  useEffect(() => {
    const ask = async (verb: string) =>
      (await ownAccess({group: type.group, resource: type.resource, verb, namespace, name}).catch(() => ({allowed: true}))).allowed;
    void Promise.all([ask('update'), ask('delete')]).then(([update, remove]) => setMay({update, delete: remove}));
  }, [type.group, type.resource, namespace, name]);
  const tab = chosenTab(tabs);
  const object = live?.object.value;
  const refusal = live?.refusal.value;
  return (
    <>
      <div class="bar">
        <h1>
          <a href={listHref(type, {namespace: place.value.query['namespace'] ?? namespace})}>{type.kind}</a>{' '}
          {namespace === '' ? name : `${namespace}/${name}`}
        </h1>
        {live?.isGone.value === true && (
          <span class="state refused" role="status">
            Deleted
          </span>
        )}
        <span class="actions">
          <a href={playgroundHref(type, {namespace, name})}>Try expressions</a>
          {object && live?.isGone.value === false && <ScaleForm key={object.metadata.uid} type={type} object={object} />}
          {type.verbs.includes('delete') && object && (
            <button type="button" class="danger" disabled={!may.delete || live?.isGone.value} onClick={() => setDeleting(true)}>
              Delete
            </button>
          )}
        </span>
      </div>
      {refusal && <RefusalNotice error={refusal} />}
      <TroubleNotice trouble={live?.trouble.value} />
      {refusal?.code === 404 && live && !object && tab !== 'changes' && (
        <p>
          <a href={hrefOf(place.value.parts, {...place.value.query, tab: 'changes'})}>What became of it in the last five minutes</a>
        </p>
      )}
      {refusal?.code === 404 && live && !object && tab === 'changes' && <ChangesTab type={type} named={live.named} state="" />}
      {object && live && (
        <>
          <TabList label="Views of the object" tabs={tabs} tab={tab} />
          <div class="tab" role="tabpanel" id="tab" aria-labelledby={`tab-${tab}`}>
            {tab === 'yaml' && <YamlTab key={object.metadata.uid} type={type} live={live} mayUpdate={may.update} />}
            {tab === 'conditions' && <ConditionsTab object={object} />}
            {tab === 'changes' && (
              <ChangesTab type={type} named={live.named} state={`${object.metadata.resourceVersion} ${live.isGone.value}`} />
            )}
            {tab === 'owners' && <OwnersTab type={type} object={object} />}
            {tab === 'fields' && <FieldsTab object={object} />}
          </div>
        </>
      )}
      {isDeleting && object && (
        <DeleteDialog
          type={type}
          targets={[asTarget(object)]}
          onClose={() => {
            setDeleting(false);
            if (live?.isGone.value === true) goTo(listHref(type, {namespace}));
          }}
        />
      )}
    </>
  );
}

function asTarget({metadata: {uid, name, namespace = '', labels = {}, resourceVersion}}: ApiObject) {
  return {uid, name, namespace, labels, cells: [], created: 0, isDeleting: false, version: resourceVersion};
}
