package VASSAL.launch;

import VASSAL.build.module.Map;
import VASSAL.build.module.map.HighlightLastMoved;
import VASSAL.counters.KeyBuffer;

import javax.imageio.ImageIO;
import java.awt.Color;
import java.awt.Dimension;
import java.awt.Graphics2D;
import java.awt.Rectangle;
import java.awt.image.BufferedImage;
import java.awt.image.DataBufferInt;
import java.io.File;
import java.lang.reflect.Field;
import java.util.Arrays;
import java.util.concurrent.Future;

/** A whole map as a picture, painted by the engine. */
final class Painting {
  private Painting() {}
  private static final int TRIES = 20;
  private static final int PATIENCE = 120;   // seconds; a busy machine takes tens of them for a large board

  static BufferedImage once(Map m, double zoom) throws Exception {
    return Harness.edt(() -> {
      final Dimension d = m.mapSize();
      final BufferedImage b = new BufferedImage(Math.max(1, (int) (d.width * zoom)), Math.max(1, (int) (d.height * zoom)), BufferedImage.TYPE_INT_RGB);
      final Graphics2D gr = b.createGraphics();
      gr.setClip(0, 0, b.getWidth(), b.getHeight());
      gr.setColor(Color.WHITE);
      gr.fillRect(0, 0, b.getWidth(), b.getHeight());
      m.paintRegion(gr, new Rectangle(0, 0, b.getWidth(), b.getHeight()), null);
      gr.dispose();
      return b;
    });
  }

  /** pictures of boards arrive in threads of their own: painted until all are there and it does not change any more */
  static void settled(Map m, double zoom, File out) throws Exception {
    Harness.edt(() -> {
      if (m.getZoomer() != null) m.getZoomer().setZoomFactor(zoom);
      KeyBuffer.getBuffer().clear();   // frames around what is selected or was moved last are no part of a position
      for (final HighlightLastMoved h : m.getComponentsOf(HighlightLastMoved.class)) forget(h);
      return null;
    });
    BufferedImage last = once(m, zoom);
    for (int i = 0; i < TRIES; i++) {
      awaitImages();
      final BufferedImage next = once(m, zoom);
      final boolean same = Arrays.equals(pixels(last), pixels(next));
      last = next;
      if (same) break;
    }
    ImageIO.write(last, "png", out);
  }

  /** what the last painting asked for is loaded, cut or scaled in threads of the engine: wait until none is at work */
  static void awaitImages() throws Exception {
    final Field cache = Class.forName("VASSAL.tools.imageop.AbstractOpImpl").getDeclaredField("cache");
    cache.setAccessible(true);
    final Field kept = Class.forName("VASSAL.tools.opcache.OpCache").getDeclaredField("cache");
    kept.setAccessible(true);
    final java.util.Map<?, ?> images = (java.util.Map<?, ?>) kept.get(cache.get(null));
    final long end = System.nanoTime() + PATIENCE * 1_000_000_000L;
    do {
      Thread.sleep(60);
    } while (images.values().stream().anyMatch(f -> f instanceof Future && !((Future<?>) f).isDone()) && System.nanoTime() < end);
  }

  private static void forget(HighlightLastMoved h) throws ReflectiveOperationException {
    final Field last = HighlightLastMoved.class.getDeclaredField("lastMoved");
    last.setAccessible(true);
    last.set(h, null);
  }

  private static int[] pixels(BufferedImage b) { return ((DataBufferInt) b.getRaster().getDataBuffer()).getData(); }
}
