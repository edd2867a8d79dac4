import {useState} from 'preact/hooks';
import {resourceTypes} from '../api/discovery.js';

/** An object that somebody names. */
export interface ChosenObject {
  readonly group: string;
  readonly resource: string;
  readonly namespace: string;
  readonly name: string;
}

export interface ObjectChoiceProps {
  readonly chosen: ChosenObject;
  onChoose(chosen: ChosenObject): void;
}

/** Names an object: `deployments.apps` as kubectl does, and where it is. */
export function ObjectChoice({chosen, onChoose}: ObjectChoiceProps) {
  const [type, setType] = useState(nameOf(chosen));
  const [namespace, setNamespace] = useState(chosen.namespace);
  const [name, setName] = useState(chosen.name);
  const known = resourceTypes.value?.find((each) => nameOf(each) === type.trim());
  return (
    <form
      class="actions"
      aria-label="The object"
      onSubmit={(event) => {
        event.preventDefault();
        if (known && name.trim() !== '')
          onChoose({group: known.group, resource: known.resource, namespace: known.namespaced ? namespace.trim() : '', name: name.trim()});
      }}
    >
      <label>
        Type{' '}
        <input
          list="playground-types"
          spellcheck={false}
          placeholder="deployments.apps"
          value={type}
          onInput={(event) => setType(event.currentTarget.value)}
        />
      </label>
      <datalist id="playground-types">
        {(resourceTypes.value ?? []).map((each) => (
          <option value={nameOf(each)} />
        ))}
      </datalist>
      {known?.namespaced !== false && (
        <label>
          in{' '}
          <input
            list="namespaces"
            spellcheck={false}
            placeholder="namespace"
            value={namespace}
            onInput={(event) => setNamespace(event.currentTarget.value)}
          />
        </label>
      )}
      <label>
        named <input spellcheck={false} value={name} onInput={(event) => setName(event.currentTarget.value)} />
      </label>
      <button type="submit" disabled={!known || name.trim() === ''}>
        Load
      </button>
    </form>
  );
}

const nameOf = ({group, resource}: {readonly group: string; readonly resource: string}) =>
  group === '' ? resource : `${resource}.${group}`;
