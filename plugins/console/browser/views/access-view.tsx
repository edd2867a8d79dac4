import {useEffect, useState} from 'preact/hooks';
import {accessOf, ownAccess, ownRules, type AccessDecision, type RulesStatus} from '../api/access.js';
import {resourceTypes} from '../api/discovery.js';
import {namespace} from '../api/namespaces.js';
import {user} from '../api/session.js';
import {RefusalNotice} from '../parts/notice.js';
import {Scroll} from '../parts/scroll.js';
import {TextField} from '../parts/text-field.js';
import {ActAsForm} from './act-as-form.js';

/** Who the user is, and what he and others may do. */
export function AccessView() {
  const chosen = namespace.value || 'default';
  const [rules, setRules] = useState<RulesStatus>();
  const [error, setError] = useState<unknown>();
  useEffect(() => {
    setRules(undefined);
    setError(undefined);
    void ownRules(chosen).then(setRules, setError);
  }, [chosen, user.value]);
  return (
    <>
      <div class="bar">
        <h1>Access</h1>
      </div>
      <Scroll label="Access">
        <p>
          You are <strong>{user.value?.username}</strong>, of the groups {user.value?.groups.join(', ')}.
        </p>
        <AskForm namespace={chosen} />
        <ActAsForm />
        <h2>Your rules in the namespace {chosen}</h2>
        {error !== undefined && <RefusalNotice error={error} />}
        {rules?.incomplete === true && (
          <p class="notice">Not all that you may do can be listed{rules.evaluationError ? `: ${rules.evaluationError}` : '.'}</p>
        )}
        <table class="plain">
          <thead>
            <tr>
              <th scope="col">Verbs</th>
              <th scope="col">Groups</th>
              <th scope="col">Resources</th>
              <th scope="col">Names</th>
            </tr>
          </thead>
          <tbody>
            {rules?.resourceRules.map(({verbs, apiGroups = [], resources = [], resourceNames = []}) => (
              <tr>
                <td>{verbs.join(', ')}</td>
                <td>{apiGroups.map((group) => group || 'core').join(', ')}</td>
                <td>{resources.join(', ')}</td>
                <td>{resourceNames.join(', ')}</td>
              </tr>
            ))}
            {rules?.nonResourceRules.map(({verbs, nonResourceURLs = []}) => (
              <tr>
                <td>{verbs.join(', ')}</td>
                <td colSpan={3}>{nonResourceURLs.join(', ')}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </Scroll>
    </>
  );
}

/** Asks the server whether somebody may do something. */
function AskForm({namespace: chosen}: {readonly namespace: string}) {
  const [who, setWho] = useState('');
  const [groups, setGroups] = useState('');
  const [verb, setVerb] = useState('get');
  const [resource, setResource] = useState('pods');
  const [name, setName] = useState('');
  const [answer, setAnswer] = useState<{text: string; decision: AccessDecision}>();
  const [error, setError] = useState<unknown>();
  const ask = async () => {
    setError(undefined);
    setAnswer(undefined);
    const [plural = '', subresource = ''] = resource.trim().split('/');
    const type = resourceTypes.value?.find((found) => found.resource === plural || found.shortNames.includes(plural));
    const place = type?.namespaced === false ? '' : chosen;
    const attributes = {
      group: type?.group ?? '',
      resource: type?.resource ?? plural,
      subresource,
      verb,
      namespace: place,
      name: name.trim(),
    };
    const named = who.trim();
    try {
      const decision =
        named === '' ? await ownAccess(attributes) : await accessOf(named, groups.split(/[\s,]+/).filter(Boolean), attributes);
      setAnswer({text: `${named === '' ? 'You' : named} ${decision.allowed ? 'may' : 'may not'} ${verb} ${resource}`, decision});
    } catch (refused) {
      setError(refused);
    }
  };
  const field = (id: string, label: string, value: string, set: (value: string) => void, list?: string) => (
    <div>
      <TextField id={id} label={label} value={value} list={list} onInput={set} />
    </div>
  );
  return (
    <>
      <h2>Ask</h2>
      <form
        class="ask"
        onSubmit={(event) => {
          event.preventDefault();
          void ask();
        }}
      >
        {field('ask-who', 'User (you if empty)', who, setWho)}
        {field('ask-groups', 'Groups of that user', groups, setGroups)}
        {field('ask-verb', 'Verb', verb, setVerb, 'verbs')}
        {field('ask-resource', 'Resource', resource, setResource)}
        {field('ask-name', 'Name (all if empty)', name, setName)}
        <datalist id="verbs">
          {['get', 'list', 'watch', 'create', 'update', 'patch', 'delete', 'deletecollection'].map((word) => (
            <option value={word} />
          ))}
        </datalist>
        <button type="submit" class="main">
          Ask
        </button>
      </form>
      {error !== undefined && <RefusalNotice error={error} />}
      {answer && (
        <p class={`notice ${answer.decision.allowed ? 'good' : 'bad'}`} role="status">
          {answer.text}
          {answer.decision.reason ? `: ${answer.decision.reason}` : '.'} {answer.decision.evaluationError}
        </p>
      )}
    </>
  );
}
