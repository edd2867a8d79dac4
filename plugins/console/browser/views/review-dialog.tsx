import {useEffect, useRef, useState} from 'preact/hooks';
import {editable, isOvertaken} from '../api/editable.js';
import type {LiveObject} from '../api/live-object.js';
import {readObject, replaceObject} from '../api/objects.js';
import {Refusal} from '../api/request.js';
import type {ApiObject, ResourceType} from '../api/types.js';
import type * as EditorLibrary from '../editor/index.js';
import {Dialog} from '../parts/dialog.js';
import {EditorFrame} from '../parts/editor-frame.js';
import {RefusalNotice} from '../parts/notice.js';

export interface ReviewDialogProps {
  readonly type: ResourceType;
  readonly live: LiveObject;
  readonly library: typeof EditorLibrary;
  /** What the editing began with. */
  readonly base: ApiObject;
  readonly edited: object;
  /** What the dry run answered; the present object if there is a conflict. */
  readonly answer: ApiObject;
  onClose(): void;
  onWritten(): void;
}

/** What a write would change, as the server says; if somebody else was first, both beside each other. */
export function ReviewDialog({type, live, library, base, edited, answer, onClose, onWritten}: ReviewDialogProps) {
  const [proposed, setProposed] = useState({object: edited, answer});
  const [theirs, setTheirs] = useState<ApiObject>();
  const [error, setError] = useState<unknown>();
  const text = useRef<() => string>(() => '');
  const resolveConflict = async () => {
    try {
      setTheirs(await readObject(type, live.named));
    } catch (refused) {
      setError(refused);
    }
  };
  // A dry run that was refused as too late has answered nothing.
  useEffect(() => {
    if (answer === live.object.value) void resolveConflict();
  }, []);
  const failed = async (refused: unknown) => {
    if (refused instanceof Refusal && isOvertaken(refused)) await resolveConflict();
    else setError(refused);
  };
  const write = async () => {
    setError(undefined);
    try {
      await replaceObject(type, live.named, proposed.object, {dryRun: false});
      onWritten();
    } catch (refused) {
      await failed(refused);
    }
  };
  const takeMerge = async () => {
    setError(undefined);
    const {value, faults} = library.readYaml(text.current());
    if (faults[0]) return setError(new Error(faults[0].text));
    try {
      const object = value as object;
      setProposed({object, answer: await replaceObject(type, live.named, object, {dryRun: true})});
      setTheirs(undefined);
    } catch (refused) {
      await failed(refused);
    }
  };
  if (theirs) {
    const {value, conflicts} = library.mergeThree(editable(base), edited, editable(theirs));
    const merged = withVersion(value as ApiObject, theirs.metadata.resourceVersion);
    return (
      <Dialog title="Somebody else was first" onClose={onClose}>
        <p>
          {conflicts.length === 0
            ? 'Your changes do not touch what the others changed. This is both together:'
            : `Both of you changed ${conflicts.slice(0, 10).join(', ')}: yours is on the right.`}
        </p>
        {error !== undefined && <RefusalNotice error={error} />}
        <EditorFrame
          key={theirs.metadata.resourceVersion}
          make={(parent) => library.mergeEditor(parent, library.yamlText(editable(theirs)), library.yamlText(merged))}
          onMade={(editor) => (text.current = () => editor.text())}
        />
        <footer>
          <button type="button" onClick={onClose}>
            Back to the text
          </button>
          <button type="button" class="main" onClick={() => void takeMerge()}>
            Review the right side
          </button>
        </footer>
      </Dialog>
    );
  }
  const before = library.yamlText(editable(live.object.value ?? base));
  const after = library.yamlText(editable(proposed.answer));
  return (
    <Dialog title="What would change" onClose={onClose}>
      <p>The server has tried it, and this is what it would store.</p>
      {error !== undefined && <RefusalNotice error={error} />}
      {before === after ? (
        <p class="notice">Nothing would change.</p>
      ) : (
        <EditorFrame key={proposed.answer.metadata.resourceVersion} make={(parent) => library.diffView(parent, before, after)} />
      )}
      <footer>
        <button type="button" onClick={onClose}>
          Back to the text
        </button>
        <button type="button" class="main" disabled={before === after} onClick={() => void write()}>
          Write
        </button>
      </footer>
    </Dialog>
  );
}

function withVersion(object: ApiObject, resourceVersion: string): object {
  return {...object, metadata: {...object.metadata, resourceVersion}};
}
