import { type AddressInfo, createServer, type Server } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import { createSmtpMailer } from '../../../src/adapters/mail/mailers.js';

let server: Server;
afterEach(() => new Promise((resolve) => server.close(resolve)));

/** A mail server that takes one mail, or refuses whom it is for. */
async function startMailServer(refuse = false): Promise<{ readonly url: string; readonly said: string[] }> {
  const said: string[] = [];
  server = createServer((socket) => {
    let inData = false;
    socket.on('error', () => {});
    socket.write('220 mail.example.com\r\n');
    socket.on('data', (piece) => {
      for (const line of piece.toString().split('\r\n').filter(Boolean)) {
        said.push(line);
        if (inData) {
          if (line !== '.') continue;
          inData = false;
          socket.write('250 taken\r\n');
        } else if (/^EHLO/.test(line)) socket.write('250 mail.example.com\r\n');
        else if (/^RCPT/.test(line) && refuse) socket.write('550 nobody here\r\n');
        else if (line === 'DATA') {
          inData = true;
          socket.write('354 go on\r\n');
        } else if (line === 'QUIT') socket.end('221 bye\r\n');
        else socket.write('250 ok\r\n');
      }
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { url: `smtp://127.0.0.1:${(server.address() as AddressInfo).port}`, said };
}

describe('mail', () => {
  it('[HTP-08] leaves over SMTP, to the one address it is for', async () => {
    const { url, said } = await startMailServer();
    const mailer = createSmtpMailer({ url, from: 'Support <support@example.com>' });
    await mailer.send({ to: 'ana@example.com', subject: 'Código', text: 'Your code is 123456.' });
    expect(said).toContain('MAIL FROM:<support@example.com>');
    expect(said.filter((line) => line.startsWith('RCPT'))).toEqual(['RCPT TO:<ana@example.com>']);
    expect(said.join('\n')).toContain('Your code is 123456.');
  });

  it('[HTP-08] that is refused is an error, and an address cannot smuggle in another', async () => {
    const { url, said } = await startMailServer(true);
    const mailer = createSmtpMailer({ url, from: 'support@example.com' });
    const send = (to: string) => mailer.send({ to, subject: 's', text: 't' });
    await expect(send('ana@example.com')).rejects.toMatchObject({ code: 'mail_failed' });
    await expect(send('ana@example.com\r\nRCPT TO:<eve@example.com>')).rejects.toMatchObject({
      code: 'mail_failed',
    });
    expect(said.join('\n')).not.toMatch(/^RCPT TO:<eve/m);
  });
});
