import test from 'ava';
import {commandWords} from '../../../../plugins/controllers/simulated-nodes/behaviour/command-words.js';

const script = (text: string) => commandWords({name: 'main', command: ['/bin/sh', '-c'], args: [text]});
const command = (...words: string[]) => commandWords({name: 'main', command: words});

test('a command that plainly says how long it runs and how it ends is believed', (t) => {
  t.deepEqual(command('sleep', '300'), {after: '300s', 'exit-code': '0'});
  t.deepEqual(command('/usr/bin/sleep', '1h', '30m'), {after: '5400s', 'exit-code': '0'});
  t.deepEqual(command('sleep', 'infinity'), {after: 'never'});
  t.deepEqual(command('/bin/true'), {after: '0s', 'exit-code': '0'});
  t.deepEqual(command('/bin/false'), {after: '0s', 'exit-code': '1'});
});

test('a script of such commands ends as its shell would', (t) => {
  t.deepEqual(script('exit 42'), {after: '0s', 'exit-code': '42'});
  t.deepEqual(script('sleep 5 && exit 3'), {after: '5s', 'exit-code': '3'});
  t.deepEqual(script('false && sleep 5'), {after: '0s', 'exit-code': '1'});
  t.deepEqual(script('\n  sleep 1; false\n  sleep 0.5\n'), {after: '1.5s', 'exit-code': '0'});
  t.deepEqual(script('exit 1; sleep 5'), {after: '0s', 'exit-code': '1'});
});

test('the image pause never ends; other commands and images say nothing', (t) => {
  t.deepEqual(commandWords({name: 'main', image: 'registry.k8s.io/pause:3.10'}), {after: 'never'});
  t.deepEqual(commandWords({name: 'main', image: 'registry.example.com/pauser:1'}), {});
  t.deepEqual(command('serve', '--port', '80'), {});
  t.deepEqual(command('sleep'), {});
  t.deepEqual(command('sleep', '-1'), {});
  t.deepEqual(script('sleep $SECONDS'), {});
  t.deepEqual(script('if [ -r /data ]; then exit 0; fi'), {});
  t.deepEqual(command('sh', '-c', 'exit 1', 'and', 'more'), {});
});
