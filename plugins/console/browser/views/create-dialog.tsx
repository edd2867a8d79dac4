import {useRef, useState} from 'preact/hooks';
import {createObject} from '../api/objects.js';
import {schemaOf, type TypeSchema} from '../api/schemas.js';
import {apiVersionOf, collectionPath, type ResourceType} from '../api/types.js';
import {Dialog} from '../parts/dialog.js';
import {EditorFrame, useEditor} from '../parts/editor-frame.js';
import {RefusalNotice} from '../parts/notice.js';

export interface CreateDialogProps {
  readonly type: ResourceType;
  readonly namespace: string;
  onClose(): void;
}

/** A new object, which the server tries before it is made. */
export function CreateDialog({type, namespace, onClose}: CreateDialogProps) {
  const library = useEditor();
  const [error, setError] = useState<unknown>();
  const [tried, setTried] = useState('');
  const text = useRef<() => string>(() => '');
  const schema = useRef<TypeSchema | undefined>(undefined);
  const metadata = type.namespaced ? {name: '', namespace: namespace || 'default'} : {name: ''};
  const send = async (dryRun: boolean) => {
    setError(undefined);
    setTried('');
    const {value, faults} = library!.readYaml(text.current());
    if (faults[0]) return setError(new Error(faults[0].text));
    const object = value as {metadata?: {namespace?: string}} | null;
    try {
      await createObject(collectionPath(type, object?.metadata?.namespace ?? namespace), object ?? {}, {dryRun});
      if (dryRun) setTried(text.current());
      else onClose();
    } catch (refused) {
      setError(refused);
    }
  };
  return (
    <Dialog title={`Create ${type.kind}`} onClose={onClose}>
      {error !== undefined && <RefusalNotice error={error} />}
      {tried !== '' && (
        <p class="notice" role="status">
          The dry run went well.
        </p>
      )}
      {library && (
        <EditorFrame
          make={(parent) =>
            library.yamlEditor({
              parent,
              label: 'The new object as YAML',
              text: library.yamlText({apiVersion: apiVersionOf(type), kind: type.kind, metadata}),
              readOnly: false,
              schemaNow: () => schema.current,
              onChange: () => setTried(''),
            })
          }
          onMade={(editor) => {
            text.current = () => editor.text();
            editor.focus();
            void schemaOf(type).then(
              (found) => (schema.current = found),
              () => undefined,
            );
          }}
        />
      )}
      <footer>
        <button type="button" onClick={onClose}>
          Cancel
        </button>
        <button type="button" disabled={!library} onClick={() => void send(true)}>
          Dry run
        </button>
        <button type="button" class="main" disabled={tried === ''} onClick={() => void send(false)}>
          Create
        </button>
      </footer>
    </Dialog>
  );
}
