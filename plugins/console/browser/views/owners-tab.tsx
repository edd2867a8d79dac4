import {useEffect, useState} from 'preact/hooks';
import {findDependents, type Dependents} from '../api/dependents.js';
import {typeOfKind} from '../api/discovery.js';
import {namespace} from '../api/namespaces.js';
import {objectHref} from '../api/places.js';
import type {ApiObject, OwnerReference, ResourceType} from '../api/types.js';
import {Scroll} from '../parts/scroll.js';

/** Who owns the object, and what it owns. */
export function OwnersTab({type, object}: {readonly type: ResourceType; readonly object: ApiObject}) {
  const [dependents, setDependents] = useState<Dependents>();
  const {uid, ownerReferences = []} = object.metadata;
  useEffect(() => {
    const abort = new AbortController();
    setDependents(undefined);
    void findDependents(object, abort.signal).then((found) => !abort.signal.aborted && setDependents(found));
    return () => abort.abort();
  }, [uid]);
  return (
    <Scroll label="Owners and dependents of the object">
      <h2>Owners</h2>
      {ownerReferences.length === 0 && <p>Nothing owns it.</p>}
      <ul class="tree">
        {ownerReferences.map((owner) => (
          <li>
            <Owner owner={owner} within={object.metadata.namespace ?? ''} />
          </li>
        ))}
      </ul>
      <h2>Dependents</h2>
      {dependents === undefined && <p role="status">Looking through all types</p>}
      {dependents?.found.length === 0 && <p>Nothing names it as its owner.</p>}
      <ul class="tree">
        {dependents?.found.map(({type: own, object: {metadata}}) => (
          <li key={metadata.uid}>
            <a href={objectHref(own, metadata, {namespace: namespace.value, tab: 'owners'})}>
              {own.kind} {metadata.name}
            </a>
          </li>
        ))}
      </ul>
      {dependents !== undefined && dependents.unseen.length > 0 && (
        <p class="hint">
          Not or not wholly looked at: {dependents.unseen.slice(0, 20).join(', ')}
          {dependents.unseen.length > 20 && ` and ${dependents.unseen.length - 20} more`}
        </p>
      )}
      <p class="hint">
        {type.kind} {object.metadata.name} has the uid <code>{uid}</code>
      </p>
    </Scroll>
  );
}

function Owner({owner: {apiVersion, kind, name, controller}, within}: {readonly owner: OwnerReference; readonly within: string}) {
  const type = typeOfKind(apiVersion, kind);
  const text = `${kind} ${name}`;
  return (
    <>
      {type ? (
        <a href={objectHref(type, {name, namespace: type.namespaced ? within : ''}, {namespace: namespace.value, tab: 'owners'})}>{text}</a>
      ) : (
        text
      )}
      {controller === true && <small> controller</small>}
    </>
  );
}
