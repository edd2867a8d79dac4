import {useEffect, useRef, useState} from 'preact/hooks';
import {findType, resourceTypes} from '../api/discovery.js';
import {editable} from '../api/editable.js';
import {platformGroup} from '../api/facts.js';
import {goTo, place, setQuery} from '../api/location.js';
import {readObject} from '../api/objects.js';
import {addressText, playgroundHref, playgroundPlace} from '../api/playground-place.js';
import {
  trialKinds,
  trialOf,
  tryExpressions,
  type TrialKind,
  type TrialOperation,
  type TrialOutcome,
  type TrialTexts,
} from '../api/trials.js';
import type {ApiObject} from '../api/types.js';
import {EditorFrame, useEditor} from '../parts/editor-frame.js';
import {RefusalNotice} from '../parts/notice.js';
import {Scroll} from '../parts/scroll.js';
import {ObjectChoice} from './object-choice.js';
import {TrialFields} from './trial-fields.js';
import {TrialOutcomes} from './trial-outcomes.js';

/** What is typed is tried after a pause of this. */
const settleMillis = 500;

const titles: Readonly<Record<TrialKind, string>> = {
  expression: 'An expression of a policy',
  rule: 'A rule of a schema',
  policy: 'A whole policy',
};

const examples = {
  expression: 'object.metadata.name.size()',
  rule: 'self.metadata.name.size() < 20',
  policy: `validations:
- expression: "has(object.metadata.labels) && 'tier' in object.metadata.labels"
  messageExpression: "object.metadata.name + ' needs a label tier'"
`,
} as const;

/** Tries expressions, rules and policies on an object of one's choice, as they are typed. */
export function PlaygroundView() {
  const library = useEditor();
  const {kind, text: given, policy, ...chosen} = playgroundPlace();
  const [texts, setTexts] = useState<TrialTexts>(() => ({
    ...examples,
    ...(given === undefined ? {} : {[kind]: given}),
    message: '',
    path: '',
    params: '',
    object: '',
    before: '',
  }));
  const [operation, setOperation] = useState<TrialOperation>('CREATE');
  const [parent, setParent] = useState<ApiObject>();
  const [error, setError] = useState<unknown>();
  const [outcomes, setOutcomes] = useState<readonly TrialOutcome[]>();
  const change = (changes: Partial<TrialTexts>) => setTexts((before) => ({...before, ...changes}));
  const {group, resource, namespace, name} = chosen;
  useObject(library && [group, resource, namespace, name], setError, (object) => {
    const text = library!.yamlText(editable(object));
    change({object: text, before: text});
  });
  useObject(library && [platformGroup('admissionregistration'), 'validatingadmissionpolicies', '', policy], setError, ({spec}) =>
    change({policy: library!.yamlText(spec)}),
  );
  // Who may not get it tries without.
  useObject(['', 'namespaces', '', namespace], () => setParent(undefined), setParent);
  useEffect(() => {
    if (!library) return;
    const abort = new AbortController();
    const attempt = async () => {
      setQuery({text: texts[kind] === examples[kind] ? '' : addressText(texts[kind])});
      try {
        setOutcomes(await tryExpressions(trialOf(kind, operation, texts, library.readYaml, parent), abort.signal));
        setError(undefined);
      } catch (refused) {
        if (!abort.signal.aborted) setError(refused);
      }
    };
    const timer = setTimeout(() => void attempt(), settleMillis);
    return () => {
      abort.abort();
      clearTimeout(timer);
    };
  }, [library, kind, operation, parent, texts]);
  return (
    <>
      <div class="bar">
        <h1>Playground</h1>
        <ObjectChoice
          key={place.value.parts.join('/')}
          chosen={chosen}
          onChoose={(named) => goTo(playgroundHref(named, named, place.value.query))}
        />
      </div>
      <div class="beside halves">
        <Scroll label="What is tried, and what it comes to">
          <fieldset class="choice">
            <legend>What is tried</legend>
            {trialKinds.map((each) => (
              <label>
                <input
                  type="radio"
                  name="trial-kind"
                  checked={kind === each}
                  onChange={() => {
                    if (each === 'rule' && operation === 'DELETE') setOperation('CREATE');
                    setQuery({kind: each === 'expression' ? '' : each, text: ''});
                  }}
                />{' '}
                {titles[each]}
              </label>
            ))}
          </fieldset>
          <TrialFields kind={kind} operation={operation} texts={texts} onText={change} onOperation={setOperation} />
          <h2>What it comes to</h2>
          <div role="status">
            {error !== undefined && <RefusalNotice error={error} />}
            {error === undefined && outcomes && <TrialOutcomes outcomes={outcomes} />}
          </div>
        </Scroll>
        {library && (
          <EditorFrame
            text={texts.object}
            make={(element) => {
              const editor = library.yamlEditor({
                parent: element,
                label: 'The object that it is tried on, in YAML',
                text: texts.object,
                readOnly: false,
                schemaNow: () => undefined,
                onChange: () => change({object: editor.text()}),
              });
              return editor;
            }}
          />
        )}
      </div>
    </>
  );
}

type ObjectName = readonly [group: string, resource: string, namespace: string, name: string];

/** Reads an object that is named, once. */
function useObject(named: ObjectName | undefined, refused: (error: unknown) => void, take: (object: ApiObject) => void): void {
  const [group, resource, namespace, name] = named ?? ['', '', '', ''];
  const type = resourceTypes.value && findType(group, resource);
  const latest = useRef({take, refused});
  latest.current = {take, refused};
  useEffect(() => {
    if (!type || name === '') return;
    const abort = new AbortController();
    readObject(type, {namespace, name}, abort.signal).then(
      (object) => !abort.signal.aborted && latest.current.take(object),
      (error: unknown) => !abort.signal.aborted && latest.current.refused(error),
    );
    return () => abort.abort();
  }, [type?.group, type?.resource, namespace, name]);
}
