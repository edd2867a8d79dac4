import {findType} from '../../api/discovery.js';
import {hrefOf} from '../../api/location.js';
import {objectHref} from '../../api/places.js';
import type {TableColumn, TableRow} from '../../api/table-rows.js';
import {Dialog} from '../../parts/dialog.js';
import {cellText} from './cells.js';

export interface PodDialogProps {
  readonly pod: TableRow;
  readonly columns: readonly TableColumn[];
  onClose(): void;
}

/** What the list says of a pod, and where more is. */
export function PodDialog({pod, columns, onClose}: PodDialogProps) {
  const type = findType('', 'pods');
  return (
    <Dialog title={`Pod ${pod.namespace}/${pod.name}`} onClose={onClose}>
      <table class="plain facts">
        <tbody>
          {columns.map(({name}, index) => (
            <tr>
              <th scope="row">{name}</th>
              <td>{cellText(pod.cells[index])}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <p>
        {type && (
          <a href={objectHref(type, pod)} onClick={onClose}>
            Open the object
          </a>
        )}{' '}
        · <a href={hrefOf(['logs', pod.namespace, pod.name])}>Logs</a>
      </p>
    </Dialog>
  );
}
