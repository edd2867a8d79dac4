import {useState} from 'preact/hooks';
import {labelObject} from '../api/objects.js';
import {BulkWork} from '../parts/bulk-work.js';
import {Dialog} from '../parts/dialog.js';
import {TextField} from '../parts/text-field.js';
import type {TargetsProps} from './delete-dialog.js';

/** As kubectl takes them: `tier=front` sets one, `tier-` removes it. Undefined for what is neither. */
function readLabels(text: string): Record<string, string | null> | undefined {
  const labels: Record<string, string | null> = {};
  for (const word of text.split(/[\s,]+/).filter(Boolean)) {
    const [, key, rest] = /^([^=]+?)(=.*|-)$/.exec(word) ?? [];
    if (key === undefined || rest === undefined) return undefined;
    labels[key] = rest === '-' ? null : rest.slice(1);
  }
  return Object.keys(labels).length > 0 ? labels : undefined;
}

export function LabelDialog({type, targets, onClose}: TargetsProps) {
  const [text, setText] = useState('');
  const [applied, setApplied] = useState<Record<string, string | null>>();
  const labels = readLabels(text);
  return (
    <Dialog title={`Label ${targets.length} ${type.resource}`} onClose={onClose}>
      {applied ? (
        <>
          <p>
            <code>{text}</code>
          </p>
          <BulkWork
            targets={targets}
            verb="Label"
            act={(target, dryRun) => labelObject(type, target, applied, {dryRun})}
            onClose={onClose}
          />
        </>
      ) : (
        <form
          onSubmit={(event) => {
            event.preventDefault();
            setApplied(labels);
          }}
        >
          <TextField
            id="labels"
            label="Labels, as in tier=front to set one and tier- to remove it"
            autoFocus
            value={text}
            onInput={setText}
          />
          <footer>
            <button type="button" onClick={onClose}>
              Cancel
            </button>
            <button type="submit" class="main" disabled={labels === undefined}>
              Dry run
            </button>
          </footer>
        </form>
      )}
    </Dialog>
  );
}
