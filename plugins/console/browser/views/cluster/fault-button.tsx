import {faults, setFault, type Fault} from '../../api/simulation.js';
import {ActionButton} from './action-button.js';

export interface FaultButtonProps {
  readonly nodes: readonly string[];
  readonly fault: Fault;
  /** Whose fault it is, for readers of the screen. */
  readonly what: string;
  readonly isThere: boolean;
}

/** Has something be wrong with nodes, or ends it. */
export function FaultButton({nodes, fault, what, isThere}: FaultButtonProps) {
  return (
    <ActionButton
      class={isThere ? 'danger' : ''}
      isPressed={isThere}
      label={`${faults[fault]}: ${what}`}
      work={async () => {
        await setFault(nodes, fault, !isThere);
        return '';
      }}
    >
      {faults[fault]}
    </ActionButton>
  );
}
