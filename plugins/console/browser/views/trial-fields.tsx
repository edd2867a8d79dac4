import {trialOperations, type TrialKind, type TrialOperation, type TrialTexts} from '../api/trials.js';

export interface TrialFieldsProps {
  readonly kind: TrialKind;
  readonly operation: TrialOperation;
  readonly texts: TrialTexts;
  onText(changes: Partial<TrialTexts>): void;
  onOperation(operation: TrialOperation): void;
}

const labels: Readonly<Record<TrialKind, string>> = {expression: 'Expression', rule: 'Rule', policy: 'Policy, in YAML'};
const rows: Readonly<Record<TrialKind, number>> = {expression: 4, rule: 3, policy: 12};
const operationNames: Readonly<Record<TrialOperation, string>> = {CREATE: 'is created', UPDATE: 'is updated', DELETE: 'is deleted'};

/** What is tried, and everything that it may refer to but the object. */
export function TrialFields({kind, operation, texts, onText, onOperation}: TrialFieldsProps) {
  const operations = kind === 'rule' ? trialOperations.filter((each) => each !== 'DELETE') : trialOperations;
  const area = (name: keyof TrialTexts, label: string, lines: number) => (
    <label class="code">
      {label}
      <textarea rows={lines} spellcheck={false} value={texts[name]} onInput={({currentTarget: {value}}) => onText({[name]: value})} />
    </label>
  );
  return (
    <>
      {area(kind, labels[kind], rows[kind])}
      {kind === 'rule' && (
        <>
          {area('message', 'Expression for its message', 2)}
          <label>
            It stands at{' '}
            <input
              spellcheck={false}
              placeholder="spec.template"
              value={texts.path}
              onInput={({currentTarget: {value}}) => onText({path: value})}
            />
          </label>
        </>
      )}
      <label>
        The object{' '}
        <select
          aria-label="What happens to the object"
          value={operation}
          onChange={({currentTarget: {value}}) => onOperation(value as TrialOperation)}
        >
          {operations.map((each) => (
            <option value={each}>{operationNames[each]}</option>
          ))}
        </select>
      </label>
      {operation === 'UPDATE' && area('before', 'The object before, in YAML', 8)}
      {kind !== 'rule' && area('params', 'Parameters, in YAML', 3)}
    </>
  );
}
