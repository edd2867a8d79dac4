import {useEffect, useRef, useState} from 'preact/hooks';
import {draftOwner, keepDraft, takeDraft} from '../api/drafts.js';
import {editable, isOvertaken} from '../api/editable.js';
import type {LiveObject} from '../api/live-object.js';
import {replaceObject} from '../api/objects.js';
import {Refusal, warnings} from '../api/request.js';
import {schemaOf, type TypeSchema} from '../api/schemas.js';
import {objectPath, type ApiObject, type ResourceType} from '../api/types.js';
import {EditorFrame, useEditor} from '../parts/editor-frame.js';
import {RefusalNotice} from '../parts/notice.js';
import {ReviewDialog} from './review-dialog.js';

export interface YamlTabProps {
  readonly type: ResourceType;
  readonly live: LiveObject;
  readonly mayUpdate: boolean;
}

/** The object as text: followed while it is read, kept while it is edited, also if one looks at something else meanwhile. */
export function YamlTab({type, live, mayUpdate}: YamlTabProps) {
  const library = useEditor();
  const current = live.object.value!;
  const path = objectPath(type, live.named);
  const [kept, setKept] = useState(() => takeDraft(path, current.metadata.uid));
  const [base, setBase] = useState(kept?.base);
  const [error, setError] = useState<unknown>();
  const [review, setReview] = useState<{object: object; answer: ApiObject}>();
  const schema = useRef<TypeSchema | undefined>(undefined);
  const text = useRef(() => kept?.text ?? '');
  useEffect(() => {
    void schemaOf(type).then(
      (found) => (schema.current = found),
      () => undefined,
    );
  }, [type.group, type.version, type.kind]);
  const edited = useRef({base, owner: draftOwner()});
  edited.current.base = base;
  useEffect(
    () => () => {
      const {base: begun, owner} = edited.current;
      if (begun) keepDraft(path, owner, {base: begun, text: text.current()});
    },
    [],
  );
  const end = () => {
    setBase(undefined);
    setKept(undefined);
  };
  const isEditing = base !== undefined;
  const hasMoved = isEditing && current.metadata.resourceVersion !== base.metadata.resourceVersion;
  const tryIt = async () => {
    setError(undefined);
    const {value, faults} = library!.readYaml(text.current());
    if (faults[0]) return setError(new Error(faults[0].text));
    if (typeof value !== 'object' || value === null) return setError(new Error('The text is no object.'));
    try {
      setReview({object: value, answer: await replaceObject(type, live.named, value, {dryRun: true})});
    } catch (refused) {
      // Somebody else was first: both are shown beside each other.
      if (refused instanceof Refusal && isOvertaken(refused)) setReview({object: value, answer: current});
      else setError(refused);
    }
  };
  if (!library) return <p role="status">Loading the editor</p>;
  const shown = base ?? current;
  return (
    <div class="yaml">
      <div class="bar">
        {isEditing ? (
          <>
            <button type="button" class="main" onClick={() => void tryIt()}>
              Review changes
            </button>
            <button
              type="button"
              onClick={() => {
                end();
                setError(undefined);
              }}
            >
              Discard
            </button>
          </>
        ) : (
          <button type="button" class="main" disabled={!mayUpdate || live.isGone.value} onClick={() => setBase(current)}>
            Edit
          </button>
        )}
        {!mayUpdate && <span class="hint">You may not update this object.</span>}
        {hasMoved && (
          <span class="state reconnecting" role="status">
            Changed on the server since you began
          </span>
        )}
        {!isEditing && warnings.value.map((warning) => <span class="hint">{warning}</span>)}
      </div>
      {error !== undefined && <RefusalNotice error={error} />}
      <EditorFrame
        key={isEditing ? 'edited' : 'read'}
        text={isEditing ? undefined : library.yamlText(editable(current))}
        make={(parent) =>
          library.yamlEditor({
            parent,
            label: isEditing ? 'The object as YAML, edited' : 'The object as YAML',
            text: kept?.text ?? library.yamlText(editable(shown)),
            readOnly: !isEditing,
            schemaNow: () => schema.current,
            onChange: () => undefined,
          })
        }
        onMade={(editor) => {
          text.current = () => editor.text();
          if (isEditing) editor.focus();
        }}
      />
      {review && base && (
        <ReviewDialog
          type={type}
          live={live}
          library={library}
          base={base}
          edited={review.object}
          answer={review.answer}
          onClose={() => setReview(undefined)}
          onWritten={() => {
            setReview(undefined);
            end();
          }}
        />
      )}
    </div>
  );
}
