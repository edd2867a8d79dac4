import {useEffect, useState} from 'preact/hooks';
import {ownAccess} from '../api/access.js';
import {scaleObject} from '../api/objects.js';
import type {ApiObject, ResourceType} from '../api/types.js';
import {RefusalNotice} from '../parts/notice.js';
import {Dialog} from '../parts/dialog.js';
import {TextField} from '../parts/text-field.js';

export interface ScaleFormProps {
  readonly type: ResourceType;
  readonly object: ApiObject;
}

/** Sets the number of replicas of what can be scaled. */
export function ScaleForm({type, object: {metadata, ...object}}: ScaleFormProps) {
  const {replicas} = (object['spec'] ?? {}) as {replicas?: number};
  const [isOpen, setOpen] = useState(false);
  const [wanted, setWanted] = useState('');
  const [error, setError] = useState<unknown>();
  const [may, setMay] = useState(true);
  const {group, resource, subresources} = type;
  const {namespace = '', name} = metadata;
  const canScale = subresources.includes('scale');
  useEffect(() => {
    if (!canScale) return;
    void ownAccess({group, resource, subresource: 'scale', verb: 'patch', namespace, name}).then(
      ({allowed}) => setMay(allowed),
      () => undefined,
    );
  }, [group, resource, namespace, name]);
  if (!canScale || replicas === undefined) return null;
  const number = /^\d{1,9}$/.test(wanted) ? Number(wanted) : undefined;
  const scale = async () => {
    setError(undefined);
    try {
      await scaleObject(type, {namespace, name}, number!);
      setOpen(false);
    } catch (refused) {
      setError(refused);
    }
  };
  return (
    <>
      <button
        type="button"
        disabled={!may}
        onClick={() => {
          setWanted(String(replicas));
          setOpen(true);
        }}
      >
        Scale
      </button>
      {isOpen && (
        <Dialog title={`Scale ${name}`} onClose={() => setOpen(false)}>
          {error !== undefined && <RefusalNotice error={error} />}
          <form
            onSubmit={(event) => {
              event.preventDefault();
              void scale();
            }}
          >
            <TextField
              id="replicas"
              label={`Replicas, ${replicas} now`}
              inputMode="numeric"
              autoFocus
              value={wanted}
              onInput={(text) => setWanted(text.trim())}
            />
            <footer>
              <button type="button" onClick={() => setOpen(false)}>
                Cancel
              </button>
              <button type="submit" class="main" disabled={number === undefined}>
                Set replicas
              </button>
            </footer>
          </form>
        </Dialog>
      )}
    </>
  );
}
