import {useState} from 'preact/hooks';
import {actAs} from '../api/session.js';

/** Has the user act as somebody else, as far as the server lets him: everything then looks as it does to that user. */
export function ActAsForm() {
  const [who, setWho] = useState('');
  const [groups, setGroups] = useState('');
  const [problem, setProblem] = useState('');
  const act = async () => {
    setProblem('');
    const other = {username: who.trim(), groups: groups.split(/[\s,]+/).filter(Boolean)};
    const isDone = await actAs(other).catch(() => false);
    if (!isDone) setProblem(`The server does not let you act as ${other.username}.`);
  };
  return (
    <>
      <h2>Act as somebody else</h2>
      <form
        class="ask"
        onSubmit={(event) => {
          event.preventDefault();
          void act();
        }}
      >
        <div>
          <label for="act-who">Act as the user</label>
          <input id="act-who" value={who} spellcheck={false} onInput={(event) => setWho(event.currentTarget.value)} />
        </div>
        <div>
          <label for="act-groups">of the groups</label>
          <input id="act-groups" value={groups} spellcheck={false} onInput={(event) => setGroups(event.currentTarget.value)} />
        </div>
        <button type="submit" disabled={who.trim() === ''}>
          Act as this user
        </button>
      </form>
      {problem !== '' && (
        <p class="notice bad" role="alert">
          {problem}
        </p>
      )}
    </>
  );
}
