import { once } from 'node:events';
import { createWriteStream } from 'node:fs';

const OPENINGS = [
  'Hi,',
  'Hello team,',
  'Olá,',
  'Good afternoon.',
  '',
  'URGENT!!',
  'Oi, tudo bem?',
  'Dear support,',
];
const MATTERS = [
  'I was charged twice for the samba night last week and I want one of the payments back.',
  'how do i pause my plan for two months? i am travelling',
  'não consigo entrar no aplicativo, diz que a senha está errada mesmo depois de trocar',
  'Please cancel my reservation for Thursday, I am ill.',
  'quantas visitas ainda tenho este mês?',
  'The QR code was refused at the museum door and nobody could help me.',
  'quero cancelar minha assinatura, está cara demais para mim',
  'What concerts are on in Salvador in the coming weekend?',
  'This is the third time I write!!! Nobody answers. I want to talk to a manager now.',
  'I loved the exhibition, thank you so much for the recommendation.',
  'Where is my refund? It was promised ten days ago.',
  'vocês podem apagar todos os meus dados conforme a LGPD?',
  'Can I take a friend to the theatre with my Premium plan?',
  'app crashes when i open my bookings since the last update',
];
const ENDINGS = [
  'Thanks!',
  'Obrigada.',
  '',
  'Waiting for your answer.',
  'Abraços, Marina',
  'Sent from my phone',
  'pls help',
  '',
];

/** Writes so many different tickets as JSON lines; the same ones each time. */
export async function writeTickets(path: string, count: number): Promise<void> {
  const file = createWriteStream(path);
  let seed = 42;
  const pick = (texts: readonly string[]): string => {
    seed = (seed * 1_664_525 + 1_013_904_223) % 2 ** 32;
    return texts[Math.floor((seed / 2 ** 32) * texts.length)] ?? '';
  };
  for (let id = 1; id <= count; id += 1) {
    const message = [pick(OPENINGS), pick(MATTERS), `Booking ${id}.`, pick(ENDINGS)]
      .filter(Boolean)
      .join(' ');
    if (!file.write(`${JSON.stringify({ id: `t${id}`, message })}\n`)) await once(file, 'drain');
  }
  file.end();
  await once(file, 'close');
}
