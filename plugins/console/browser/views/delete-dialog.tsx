import {deleteObject} from '../api/objects.js';
import type {ResourceType} from '../api/types.js';
import type {TableRow} from '../api/table-rows.js';
import {BulkWork} from '../parts/bulk-work.js';
import {Dialog} from '../parts/dialog.js';

export interface TargetsProps {
  readonly type: ResourceType;
  readonly targets: readonly TableRow[];
  onClose(): void;
}

export function DeleteDialog({type, targets, onClose}: TargetsProps) {
  return (
    <Dialog title={`Delete ${targets.length} ${type.resource}`} onClose={onClose}>
      <BulkWork
        targets={targets}
        verb="Delete"
        isDangerous
        act={(target, dryRun) => deleteObject(type, target, {dryRun})}
        onClose={onClose}
      />
    </Dialog>
  );
}
