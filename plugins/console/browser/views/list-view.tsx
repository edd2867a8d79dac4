import {useEffect, useLayoutEffect, useMemo, useState} from 'preact/hooks';
import {ownAccess} from '../api/access.js';
import {place, setQuery} from '../api/location.js';
import {LiveTable} from '../api/live-table.js';
import {namespace} from '../api/namespaces.js';
import {listHref} from '../api/places.js';
import {viewsOf} from '../api/plugin-views.js';
import {collectionPath, type ResourceType} from '../api/types.js';
import {EnteredField} from '../parts/entered-field.js';
import {FilterField} from '../parts/filter-field.js';
import {RefusalNotice, TroubleNotice} from '../parts/notice.js';
import {CreateDialog} from './create-dialog.js';
import {DeleteDialog} from './delete-dialog.js';
import {LabelDialog} from './label-dialog.js';
import {ListRows} from './list-rows.js';

const stateTexts = {loading: 'Loading', live: 'Live', reconnecting: 'Connecting again', refused: 'Refused'} as const;

/** The objects of a type as they come and go. */
export function ListView({type}: {readonly type: ResourceType}) {
  const {labelSelector = '', fieldSelector = ''} = place.value.query;
  const chosen = type.namespaced ? namespace.value : '';
  const table = useMemo(() => {
    const selectors = {...(labelSelector && {labelSelector}), ...(fieldSelector && {fieldSelector})};
    return new LiveTable(collectionPath(type, chosen), selectors);
  }, [type.group, type.resource, type.version, chosen, labelSelector, fieldSelector]);
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set());
  const [dialog, setDialog] = useState<'create' | 'delete' | 'label'>();
  useEffect(() => {
    setSelected(new Set());
    table.start();
    return () => table.stop();
  }, [table]);
  const [mayCreate, setMayCreate] = useState(true);
  useEffect(() => {
    setMayCreate(true);
    // Where one may create some is not known before a namespace is chosen.
    if (!type.verbs.includes('create') || (type.namespaced && chosen === '')) return;
    void ownAccess({group: type.group, resource: type.resource, verb: 'create', namespace: chosen}).then(
      ({allowed}) => setMayCreate(allowed),
      () => undefined,
    );
  }, [type.group, type.resource, chosen]);
  const search = place.value.query['search'] ?? '';
  useLayoutEffect(() => table.filter(search), [table, search]);
  const rows = table.shown;
  const all = table.rows.rows.length;
  const targets = [...selected].flatMap((uid) => table.rows.find(uid) ?? []);
  const state = table.state.value;
  const refusal = table.refusal.value;
  const noneText = () => {
    if (all > 0) return 'No row has all these words.';
    if (labelSelector !== '' || fieldSelector !== '') return 'No object fits the selectors.';
    return `There are no ${type.resource}${chosen === '' ? '' : ` in the namespace ${chosen}`}.`;
  };
  return (
    <>
      <div class="bar">
        <h1>
          {type.resource} <small>{type.group}</small>
        </h1>
        {viewsOf(type).map(({title}) => (
          <a href={listHref(type, {...place.value.query, view: title})}>{title}</a>
        ))}
        <FilterField label="Filter rows" value={search} onInput={(value) => setQuery({search: value})} />
        <SelectorField name="labelSelector" label="Label selector" value={labelSelector} />
        <SelectorField name="fieldSelector" label="Field selector" value={fieldSelector} />
        <span class={`state ${state}`} role="status">
          {stateTexts[state]}
        </span>
        <span class="count">{countText(rows.length, all, targets.length)}</span>
        <span class="actions">
          {type.verbs.includes('create') && (
            <button
              type="button"
              disabled={!mayCreate}
              title={mayCreate ? '' : 'You may not create these here.'}
              onClick={() => setDialog('create')}
            >
              Create
            </button>
          )}
          {type.verbs.includes('patch') && (
            <button type="button" disabled={targets.length === 0} onClick={() => setDialog('label')}>
              Label
            </button>
          )}
          {type.verbs.includes('delete') && (
            <button type="button" class="danger" disabled={targets.length === 0} onClick={() => setDialog('delete')}>
              Delete
            </button>
          )}
        </span>
      </div>
      {refusal && (
        <>
          <RefusalNotice error={refusal} />
          {refusal.code === 403 && type.namespaced && <p>Choose a namespace above that you may look at.</p>}
        </>
      )}
      <TroubleNotice trouble={table.trouble.value} />
      {!refusal && state === 'live' && rows.length === 0 && <p class="empty">{noneText()}</p>}
      {!refusal && (state !== 'live' || rows.length > 0) && (
        <ListRows type={type} table={table} rows={rows} selected={selected} onSelect={setSelected} />
      )}
      {dialog === 'create' && <CreateDialog type={type} namespace={chosen} onClose={() => setDialog(undefined)} />}
      {dialog === 'delete' && <DeleteDialog type={type} targets={targets} onClose={() => setDialog(undefined)} />}
      {dialog === 'label' && <LabelDialog type={type} targets={targets} onClose={() => setDialog(undefined)} />}
    </>
  );
}

function SelectorField({name, label, value}: {readonly name: string; readonly label: string; readonly value: string}) {
  return (
    <EnteredField
      class="selector"
      label={label}
      placeholder={label}
      title={`${label}; Enter applies it`}
      value={value}
      onEnter={(selector) => setQuery({[name]: selector})}
    />
  );
}

function countText(shown: number, all: number, selected: number): string {
  const count = shown === all ? `${all}` : `${shown} of ${all}`;
  return selected > 0 ? `${count} · ${selected} selected` : count;
}
