import assert from 'node:assert/strict';
import { createServer, type Server } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { dispatcherFor, proxyFor } from '../../../traces/fetch/proxy.ts';
import { temporaryFolder } from '../../harness/temporary-folder.ts';
import { messageOf } from '../support.ts';
import { content, entryOf, fetched, file, served, sha256 } from './server.ts';

const folder = temporaryFolder();
const BYTES = content(5000);
const KNOWN = { bytes: BYTES.length, sha256: sha256(BYTES) };

/** A proxy of this machine for one step: what it was asked to lead to, and the step's result. */
async function proxied<T>(
  step: (address: string, asked: string[]) => Promise<T>,
  status = 200,
): Promise<T> {
  const asked: string[] = [];
  const proxy: Server = createServer();
  proxy.on('connect', (request, socket) => {
    asked.push(request.url ?? '');
    if (status !== 200) {
      socket.end(`HTTP/1.1 ${status} No\r\n\r\n`);
      return;
    }
    const [host = '', port = ''] = (request.url ?? '').split(':');
    const other = connect(Number(port), host, () => {
      socket.write('HTTP/1.1 200 OK\r\n\r\n');
      other.pipe(socket).pipe(other);
    });
    for (const end of [socket, other]) end.on('error', () => other.destroy());
  });
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
  try {
    return await step(`http://127.0.0.1:${(proxy.address() as AddressInfo).port}`, asked);
  } finally {
    proxy.closeAllConnections();
    proxy.close();
  }
}

describe('a proxy', () => {
  it('of the environment is gone through', async () => {
    await served(file(BYTES), async (url) => {
      await proxied(async (address, asked) => {
        for (const [index, name] of ['HTTP_PROXY', 'http_proxy'].entries()) {
          const entry = { ...entryOf(url, KNOWN), folder: name };
          await fetched(entry, folder.path, { env: { [name]: address } });
          assert.equal(asked.length, index + 1);
        }
        assert.equal(asked[0], new URL(url).host);
      });
    });
  });

  it('is passed by for the hosts in NO_PROXY', async () => {
    await served(file(BYTES), async (url) => {
      const env = { HTTP_PROXY: 'http://127.0.0.1:1', NO_PROXY: 'example.org, 127.0.0.1' };
      await fetched(entryOf(url, KNOWN), folder.path, { env });
    });
  });

  it('that is dead is named, without its password, and what to do', async () => {
    const dead = await proxied((address) => Promise.resolve(address));
    const env = { HTTP_PROXY: dead.replace('//', '//me:secret@') };
    const message = await messageOf(
      fetched(entryOf('http://example.invalid', KNOWN), folder.path, { env, tries: 1 }),
    );
    assert.equal(
      message,
      'http://example.invalid/t.csv cannot be fetched: the proxy ' +
        `${dead} (HTTP_PROXY) cannot be reached: the connection is refused; ` +
        'correct or unset HTTP_PROXY, or name example.invalid in NO_PROXY',
    );
  });

  it('that refuses is named', async () => {
    const refusal = async (status: number) =>
      await proxied(async (address) => {
        const env = { HTTPS_PROXY: address };
        const entry = entryOf('https://example.invalid', KNOWN);
        return await messageOf(fetched(entry, folder.path, { env, tries: 1 }));
      }, status);
    assert.match(
      await refusal(407),
      /the proxy http:\/\/127\.0\.0\.1:\d+ \(HTTPS_PROXY\) does not lead to example\.invalid: it wants a name and password/,
    );
    assert.match(await refusal(403), /does not lead to example\.invalid: it answers 403$/);
  });

  it('that is no address is refused', async () => {
    const env = { HTTPS_PROXY: 'not an address' };
    const message = await messageOf(fetched(entryOf('https://x.invalid'), folder.path, { env }));
    assert.match(
      message,
      /^HTTPS_PROXY expected an address like http:\/\/host:port, found 'not an/,
    );
  });
});

describe('which proxy is meant', () => {
  it('depends on the protocol, and small letters go first', () => {
    const https = new URL('https://example.org/x');
    const http = new URL('http://example.org/x');
    const env = { HTTPS_PROXY: 'http://a:1', HTTP_PROXY: 'http://u:p@b:2/path', http_proxy: '' };
    assert.deepEqual(proxyFor(https, env), { variable: 'HTTPS_PROXY', address: 'http://a:1' });
    assert.deepEqual(proxyFor(http, env), { variable: 'HTTP_PROXY', address: 'http://b:2' });
    const small = { ...env, https_proxy: 'http://c:3' };
    assert.equal(proxyFor(https, small)?.variable, 'https_proxy');
    assert.equal(proxyFor(https, {}), null);
  });

  it('is none for hosts, their subdomains and ports in NO_PROXY', () => {
    const url = new URL('https://data.example.org/x');
    const proxied = (noProxy: string) =>
      proxyFor(url, { HTTPS_PROXY: 'http://a:1', NO_PROXY: noProxy }) !== null;
    for (const list of [
      '*',
      'example.org',
      '.example.org',
      '*.example.org',
      'x data.example.org',
    ]) {
      assert.ok(!proxied(list), list);
    }
    for (const list of ['', 'ample.org', 'data.example.org:80', 'example.com']) {
      assert.ok(proxied(list), list);
    }
    assert.ok(!proxied('data.example.org:443'));
  });

  it('is what requests go through', async () => {
    const dispatcher = dispatcherFor({});
    await dispatcher.destroy();
    assert.throws(() => dispatcherFor({ HTTP_PROXY: '::' }), /HTTP_PROXY expected an address/);
  });
});
