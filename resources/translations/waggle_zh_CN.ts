<?xml version="1.0" encoding="utf-8"?>
<!DOCTYPE TS>
<TS version="2.1" language="zh_CN" sourcelanguage="en">
<context>
    <name>AboutSection</name>
    <message>
        <source>Whose work is in it</source>
        <translation>其中有谁的工作</translation>
    </message>
    <message>
        <source>Lends a computer to a swarm of small models.</source>
        <translation>把电脑借给一群小模型。</translation>
    </message>
    <message>
        <source>Free software under the Apache License, version 2.0.</source>
        <translation>自由软件，采用 Apache 许可证 2.0 版。</translation>
    </message>
    <message>
        <source>This Waggle runs from its source. The licences of the libraries that it uses lie with each of them, in the environment that Waggle was installed into; its own is the file LICENSE.</source>
        <translation>这个 Waggle 从源代码运行。它所用库的许可证与各库放在一起，位于安装 Waggle 的环境中；它自己的许可证是文件 LICENSE。</translation>
    </message>
</context>
<context>
    <name>AddForm</name>
    <message>
        <source>Name of a model on Hugging Face</source>
        <translation>Hugging Face 上的模型名称</translation>
    </message>
    <message>
        <source>Look it up</source>
        <translation>查一下</translation>
    </message>
    <message>
        <source>Another model</source>
        <translation>另一个模型</translation>
    </message>
    <message>
        <source>Any small model of the Llama or Qwen family, by its name on huggingface.co. Nothing is downloaded before you have seen how large it is and whether it fits.</source>
        <translation>Llama 或 Qwen 系列的任何小模型，用它在 huggingface.co 上的名称。在你看到它有多大、是否合适之前，不会下载任何东西。</translation>
    </message>
    <message>
        <source>Looking…</source>
        <translation>正在查找…</translation>
    </message>
    <message>
        <source>Write it as owner/name, as its page on huggingface.co shows it.</source>
        <translation>请写成“所有者/名称”，如 huggingface.co 页面上所示。</translation>
    </message>
</context>
<context>
    <name>AddHub</name>
    <message>
        <source>Add one by its address</source>
        <translation>按地址添加一个</translation>
    </message>
    <message>
        <source>https://hub.example.org</source>
        <translation>https://hub.example.org</translation>
    </message>
    <message>
        <source>Add</source>
        <translation>添加</translation>
    </message>
    <message>
        <source>Add this meeting point</source>
        <translation>添加这个会合点</translation>
    </message>
    <message>
        <source>There are {} already, as many as are asked. Remove one first.</source>
        <translation>已经有 {} 个，不会询问更多。请先移除一个。</translation>
    </message>
</context>
<context>
    <name>AddressQuestion</name>
    <message>
        <source>Connect</source>
        <translation>连接</translation>
    </message>
    <message>
        <source>Do not connect</source>
        <translation>不连接</translation>
    </message>
</context>
<context>
    <name>AmountsSection</name>
    <message>
        <source>Processor</source>
        <translation>处理器</translation>
    </message>
    <message>
        <source>Small ones always take the processor. Counts from the next start of practice.</source>
        <translation>小模型总是用处理器。从下次开始练习时生效。</translation>
    </message>
    <message>
        <source>Cores at work</source>
        <translation>参与工作的核心</translation>
    </message>
    <message>
        <source>As many as help</source>
        <translation>有帮助的都用</translation>
    </message>
    <message>
        <source>Counts from the next start of practice. Small models need only one.</source>
        <translation>下次开始练习时生效。小模型只需要一个。</translation>
    </message>
    <message>
        <source>Share of the time</source>
        <translation>占用时间的比例</translation>
    </message>
    <message>
        <source>All of it</source>
        <translation>全部</translation>
    </message>
    <message>
        <source>It rests between rounds: cooler, quieter, and slower to learn.</source>
        <translation>每轮之间会休息：更凉、更安静，也学得更慢。</translation>
    </message>
    <message>
        <source>Never mind</source>
        <translation>不管</translation>
    </message>
    <message>
        <source>Left for everything else</source>
        <translation>留给其他一切</translation>
    </message>
    <message>
        <source>Memory that stays free</source>
        <translation>保持空闲的内存</translation>
    </message>
    <message>
        <source>Practice pauses while less than this is free.</source>
        <translation>空闲内存少于此值时，练习会暂停。</translation>
    </message>
    <message>
        <source>Disk space that stays free</source>
        <translation>保持空闲的磁盘空间</translation>
    </message>
    <message>
        <source>Downloading models</source>
        <translation>下载模型</translation>
    </message>
    <message>
        <source>As fast as they come</source>
        <translation>不限速</translation>
    </message>
    <message>
        <source>Models are large, and only downloaded when you ask for one. Practice itself exchanges a few kilobytes of text a round. Counts from the next download.</source>
        <translation>模型很大，只在你要求时才下载。练习本身每轮只交换几千字节的文本。从下一次下载起生效。</translation>
    </message>
    <message>
        <source>Puzzles</source>
        <translation>谜题</translation>
    </message>
    <message>
        <source>Level</source>
        <translation>级别</translation>
    </message>
    <message>
        <source>Automatic</source>
        <translation>自动</translation>
    </message>
    <message>
        <source>Where models are trained</source>
        <translation>在哪里训练模型</translation>
    </message>
    <message>
        <source>Automatic goes on to harder puzzles as easier ones go well. Counts from the next start of practice.</source>
        <translation>较简单的谜题做得好时，自动会继续练习更难的谜题。从下次开始练习时生效。</translation>
    </message>
    <message>
        <source>Network</source>
        <translation>网络</translation>
    </message>
</context>
<context>
    <name>AnswerList</name>
    <message>
        <source>{} times</source>
        <translation>{} 次</translation>
    </message>
    <message>
        <source>{verdict}, {times} times</source>
        <translation>{verdict}，{times} 次</translation>
    </message>
</context>
<context>
    <name>BarChart</name>
    <message>
        <source>Chart: practice per day</source>
        <translation>图表：每天的练习</translation>
    </message>
</context>
<context>
    <name>Catalogue</name>
    <message>
        <source>Chosen by its name on Hugging Face; nobody has tried it here yet.</source>
        <translation>按其在 Hugging Face 上的名称选择；这里还没有人试过。</translation>
    </message>
    <message>
        <source>see its page on Hugging Face</source>
        <translation>见其 Hugging Face 页面</translation>
    </message>
    <message>
        <source>The smallest one: on any laptop it tries puzzles and learns from them within seconds.</source>
        <translation>最小的一个：在任何笔记本电脑上，几秒内就能尝试谜题并从中学习。</translation>
    </message>
    <message>
        <source>Larger: slower to practise with, and with more room to learn.</source>
        <translation>更大：练习更慢，但有更多学习空间。</translation>
    </message>
    <message>
        <source>The smallest one that speaks: short answers, and most computers can train it.</source>
        <translation>会说话的模型中最小的：回答简短，大多数电脑都能训练。</translation>
    </message>
    <message>
        <source>Speaks more surely than its small sister, at three times the work.</source>
        <translation>比它的小妹妹说得更稳，工作量是三倍。</translation>
    </message>
    <message>
        <source>Knows some arithmetic from the start, and learns quickly.</source>
        <translation>一开始就会一些算术，而且学得快。</translation>
    </message>
    <message>
        <source>A newer one of nearly the same size, which follows instructions better.</source>
        <translation>较新的一个，大小相近，更会遵循指示。</translation>
    </message>
    <message>
        <source>Meta&apos;s small one: good with words, for computers with 8 GB or more.</source>
        <translation>Meta 的小模型：擅长文字，适合 8 GB 或更多内存的电脑。</translation>
    </message>
    <message>
        <source>Meta asks you to accept its licence on huggingface.co before it lets you download this model, and the download needs your access token.</source>
        <translation>Meta 要求你先在 huggingface.co 接受它的许可证，才允许下载这个模型，而且下载需要你的访问令牌。</translation>
    </message>
    <message>
        <source>Solves many puzzles from the start; for a computer with a good graphics card or patience.</source>
        <translation>一开始就能解出许多谜题；适合有好显卡的电脑，或有耐心的人。</translation>
    </message>
    <message>
        <source>Reasons well for its size; for a computer with a good graphics card or patience.</source>
        <translation>就其大小而言推理很好；适合有好显卡的电脑，或有耐心的人。</translation>
    </message>
    <message>
        <source>Strong and slow: for a graphics card with 12 GB or more.</source>
        <translation>强而慢：适合 12 GB 或更多显存的显卡。</translation>
    </message>
    <message>
        <source>Its licence allows research and personal use, and no commercial use.</source>
        <translation>它的许可证允许研究和个人使用，不允许商业使用。</translation>
    </message>
    <message>
        <source>The strongest one offered here: for a graphics card with 16 GB or more.</source>
        <translation>这里提供的最强的一个：适合 16 GB 或更多显存的显卡。</translation>
    </message>
    <message>
        <source>Write a number in another base</source>
        <translation>用另一种进制写一个数</translation>
    </message>
    <message>
        <source>Work out an expression</source>
        <translation>计算一个算式</translation>
    </message>
    <message>
        <source>Find the rule that changes a row of colours</source>
        <translation>找出改变一排颜色的规则</translation>
    </message>
    <message>
        <source>Say what a Brainf*ck program prints</source>
        <translation>说出一个 Brainf*ck 程序的输出</translation>
    </message>
    <message>
        <source>Draw the strongest short conclusion</source>
        <translation>得出最强的简短结论</translation>
    </message>
    <message>
        <source>Simplify a fraction</source>
        <translation>约分</translation>
    </message>
    <message>
        <source>Work out an expression with decimals</source>
        <translation>计算含小数的算式</translation>
    </message>
    <message>
        <source>Count days and weekdays</source>
        <translation>数天数和星期</translation>
    </message>
    <message>
        <source>Give each cell&apos;s distance to the nearest zero</source>
        <translation>给出每个格子到最近的零的距离</translation>
    </message>
    <message>
        <source>Continue a sequence of numbers</source>
        <translation>续写一个数列</translation>
    </message>
    <message>
        <source>Solve an equation</source>
        <translation>解一个方程</translation>
    </message>
    <message>
        <source>Spell a word backward</source>
        <translation>把一个单词倒过来拼写</translation>
    </message>
    <message>
        <source>Find the least common multiple</source>
        <translation>求最小公倍数</translation>
    </message>
    <message>
        <source>Find the greatest common divisor</source>
        <translation>求最大公约数</translation>
    </message>
    <message>
        <source>Add and subtract whole numbers</source>
        <translation>整数加减</translation>
    </message>
    <message>
        <source>Add and subtract decimals</source>
        <translation>小数加减</translation>
    </message>
    <message>
        <source>Count the ones of a number in binary</source>
        <translation>数一个数的二进制中有几个一</translation>
    </message>
    <message>
        <source>Multiply</source>
        <translation>乘法</translation>
    </message>
    <message>
        <source>Say how much time passed</source>
        <translation>说出过了多少时间</translation>
    </message>
    <message>
        <source>Name the weekday some days away</source>
        <translation>说出若干天后是星期几</translation>
    </message>
    <message>
        <source>Count the primes in a range</source>
        <translation>数一个范围内的质数</translation>
    </message>
    <message>
        <source>Split a number into its prime factors</source>
        <translation>把一个数分解质因数</translation>
    </message>
    <message>
        <source>Reverse a list of words</source>
        <translation>把一列单词倒过来</translation>
    </message>
    <message>
        <source>Count the legs of some animals</source>
        <translation>数一些动物的腿</translation>
    </message>
    <message>
        <source>Turn a square of numbers</source>
        <translation>旋转一个数字方阵</translation>
    </message>
    <message>
        <source>Add and multiply complex numbers</source>
        <translation>复数的加法和乘法</translation>
    </message>
    <message>
        <source>Work out an expression in hexadecimal</source>
        <translation>计算一个十六进制表达式</translation>
    </message>
    <message>
        <source>Work out the odds of some dice</source>
        <translation>算出几个骰子的概率</translation>
    </message>
    <message>
        <source>Pick the largest or smallest of numbers written in many ways</source>
        <translation>从写法各异的数中选出最大或最小的</translation>
    </message>
    <message>
        <source>Keep the numbers on one side of a limit</source>
        <translation>只留下界限一侧的数</translation>
    </message>
    <message>
        <source>Sort numbers</source>
        <translation>给数字排序</translation>
    </message>
    <message>
        <source>Raise a number to a power</source>
        <translation>求一个数的幂</translation>
    </message>
    <message>
        <source>Integrate a polynomial</source>
        <translation>求多项式的积分</translation>
    </message>
    <message>
        <source>Find the last angle of a polygon</source>
        <translation>求多边形的最后一个角</translation>
    </message>
    <message>
        <source>Find the radius of a triangle&apos;s incircle</source>
        <translation>求三角形内切圆的半径</translation>
    </message>
    <message>
        <source>Count a letter in a text</source>
        <translation>数一段文字中的某个字母</translation>
    </message>
    <message>
        <source>Decipher a text whose letters were shifted</source>
        <translation>破译字母被移位的文字</translation>
    </message>
    <message>
        <source>Unscramble the words of a text</source>
        <translation>还原文字中被打乱的单词</translation>
    </message>
    <message>
        <source>Sort words</source>
        <translation>给单词排序</translation>
    </message>
    <message>
        <source>Group words made of the same letters</source>
        <translation>把字母相同的单词归为一组</translation>
    </message>
    <message>
        <source>Build a palindrome from letters</source>
        <translation>用字母组成回文</translation>
    </message>
    <message>
        <source>Split a text into palindromes in every way</source>
        <translation>用所有方式把文字分成回文</translation>
    </message>
    <message>
        <source>Find who it is said of</source>
        <translation>找出说的是谁</translation>
    </message>
    <message>
        <source>Change a grid of numbers step by step</source>
        <translation>一步步改变数字网格</translation>
    </message>
    <message>
        <source>Read a grid of numbers in a spiral</source>
        <translation>按螺旋顺序读数字网格</translation>
    </message>
    <message>
        <source>Measure the largest island</source>
        <translation>量出最大的岛</translation>
    </message>
    <message>
        <source>Say when the last orange rots</source>
        <translation>说出最后一个橙子何时腐烂</translation>
    </message>
    <message>
        <source>Count the steps through a maze</source>
        <translation>数走出迷宫的步数</translation>
    </message>
    <message>
        <source>Find the only shortest path</source>
        <translation>找出唯一的最短路径</translation>
    </message>
    <message>
        <source>Count the rectangles in a drawing</source>
        <translation>数图中的矩形</translation>
    </message>
    <message>
        <source>Solve a small sudoku</source>
        <translation>解一个小数独</translation>
    </message>
    <message>
        <source>Fill a square so that its signs hold</source>
        <translation>填满方阵，使其中的大小号都成立</translation>
    </message>
    <message>
        <source>Place ones so that rows and columns add up</source>
        <translation>填入 1，使各行各列的和相符</translation>
    </message>
    <message>
        <source>Fill numbers into a table so that it adds up</source>
        <translation>把数填入表格，使各项之和相符</translation>
    </message>
    <message>
        <source>Place the missing queens</source>
        <translation>摆上缺少的皇后</translation>
    </message>
    <message>
        <source>Rewrite tokens until no rule applies</source>
        <translation>改写符号，直到没有规则适用</translation>
    </message>
    <message>
        <source>Count the swaps that make bits alternate</source>
        <translation>数让各位交替所需的交换次数</translation>
    </message>
    <message>
        <source>Follow the colours of a turned cube</source>
        <translation>跟踪转动的立方体的颜色</translation>
    </message>
    <message>
        <source>Follow the edges of a graph</source>
        <translation>沿着图的边走</translation>
    </message>
    <message>
        <source>Count the sisters of a brother</source>
        <translation>数一个兄弟的姐妹</translation>
    </message>
    <message>
        <source>Say how two people are related</source>
        <translation>说出两个人的亲属关系</translation>
    </message>
    <message>
        <source>Tell knights from knaves</source>
        <translation>分辨骑士和无赖</translation>
    </message>
    <message>
        <source>The meadow</source>
        <translation>草地</translation>
    </message>
    <message>
        <source>The swarm for everybody: all puzzles, all model sizes.</source>
        <translation>面向所有人的群：所有谜题，所有模型大小。</translation>
    </message>
</context>
<context>
    <name>Child</name>
    <message>
        <source>it could not be started</source>
        <translation>它无法启动</translation>
    </message>
</context>
<context>
    <name>Contribution</name>
    <message>
        <source>{} min</source>
        <comment>minutes</comment>
        <translation>{} 分</translation>
    </message>
    <message>
        <source>{} h</source>
        <comment>hours</comment>
        <translation>{} 时</translation>
    </message>
    <message>
        <source>Today</source>
        <translation>今天</translation>
    </message>
    <message>
        <source>{day}: no practice</source>
        <translation>{day}：没有练习</translation>
    </message>
    <message>
        <source>{solved} of {tried} tries solved</source>
        <translation>{tried} 次尝试中解出 {solved} 次</translation>
    </message>
    <message>
        <source>1 round</source>
        <translation>1 轮</translation>
    </message>
    <message>
        <source>{} rounds</source>
        <translation>{} 轮</translation>
    </message>
    <message>
        <source>Looking up what was practised here…</source>
        <translation>正在查看这里练习过什么…</translation>
    </message>
    <message>
        <source>Your contribution</source>
        <translation>你的贡献</translation>
    </message>
    <message>
        <source>You practised {} on one day.</source>
        <translation>你在一天里练习了 {}。</translation>
    </message>
    <message>
        <source>You practised {time} on {days} days.</source>
        <translation>你在 {days} 天里练习了 {time}。</translation>
    </message>
    <message>
        <source>Your model&apos;s tries helped 1 other.</source>
        <translation>你的模型的尝试帮助了 1 位伙伴。</translation>
    </message>
    <message>
        <source>Your model&apos;s tries helped {} others.</source>
        <translation>你的模型的尝试帮助了 {} 位伙伴。</translation>
    </message>
    <message>
        <source>Nothing practised yet.</source>
        <translation>还没有练习过。</translation>
    </message>
    <message>
        <source>From the first round on, what your computer contributes is counted here: rounds, hours, puzzles, and whom it helped.</source>
        <translation>从第一轮开始，这里会统计你的电脑的贡献：轮次、小时、谜题，以及帮助了谁。</translation>
    </message>
    <message>
        <source>Counted since {}, all models together. Nothing here earns money.</source>
        <translation>自 {} 起统计，包括所有模型。这里不能赚钱。</translation>
    </message>
    <message>
        <source>Training small language models together. {}</source>
        <translation>一起训练小型语言模型。{}</translation>
    </message>
    <message>
        <source>{} of practice on one day</source>
        <translation>一天练习 {}</translation>
    </message>
    <message>
        <source>{time} of practice on {days} days</source>
        <translation>{days} 天练习 {time}</translation>
    </message>
    <message>
        <source>Helped 1 other to learn.</source>
        <translation>帮助 1 位伙伴学习。</translation>
    </message>
    <message>
        <source>Helped {} others to learn.</source>
        <translation>帮助 {} 位伙伴学习。</translation>
    </message>
    <message>
        <source>{have} of {goal}</source>
        <translation>{have} / {goal}</translation>
    </message>
    <message>
        <source>The first round</source>
        <translation>第一轮</translation>
    </message>
    <message>
        <source>{} hours of practice</source>
        <translation>练习 {} 小时</translation>
    </message>
    <message>
        <source>{} days in a row</source>
        <translation>连续 {} 天</translation>
    </message>
    <message>
        <source>The first other helped</source>
        <translation>帮助了第一位伙伴</translation>
    </message>
    <message>
        <source>{} others helped</source>
        <translation>帮助了 {} 位伙伴</translation>
    </message>
    <message>
        <source>Practised</source>
        <translation>已练习</translation>
    </message>
    <message>
        <source>Rounds</source>
        <translation>轮次</translation>
    </message>
    <message>
        <source>Tokens written</source>
        <translation>写出的词元</translation>
    </message>
    <message>
        <source>pieces of text</source>
        <translation>文本片段</translation>
    </message>
    <message>
        <source>Days in a row</source>
        <translation>连续天数</translation>
    </message>
    <message>
        <source>longest: {}</source>
        <translation>最长：{}</translation>
    </message>
    <message>
        <source>none today</source>
        <translation>今天没有</translation>
    </message>
    <message>
        <source>{} today</source>
        <translation>今天 {}</translation>
    </message>
    <message>
        <source>Puzzle tries</source>
        <translation>谜题尝试</translation>
    </message>
    <message>
        <source>Right answers</source>
        <translation>正确答案</translation>
    </message>
    <message>
        <source>{} of the tries</source>
        <translation>占尝试的 {}</translation>
    </message>
    <message>
        <source>without 1 early round</source>
        <translation>不含 1 个早期轮次</translation>
    </message>
    <message>
        <source>without {} early rounds</source>
        <translation>不含 {} 个早期轮次</translation>
    </message>
    <message>
        <source>Puzzles shared</source>
        <translation>分享的谜题</translation>
    </message>
    <message>
        <source>nobody else was there yet</source>
        <translation>当时还没有别人</translation>
    </message>
    <message>
        <source>with all tries at them</source>
        <translation>包括对它们的所有尝试</translation>
    </message>
    <message>
        <source>Others helped</source>
        <translation>帮助了的伙伴</translation>
    </message>
    <message>
        <source>in no swarm so far</source>
        <translation>至今不在任何群里</translation>
    </message>
    <message>
        <source>nobody said so yet</source>
        <translation>还没有人说过</translation>
    </message>
    <message>
        <source>1 thank-you</source>
        <translation>1 次感谢</translation>
    </message>
    <message>
        <source>{} thank-yous</source>
        <translation>{} 次感谢</translation>
    </message>
    <message>
        <source>counted from now on</source>
        <translation>从现在起统计</translation>
    </message>
    <message>
        <source>Not known yet</source>
        <translation>尚不清楚</translation>
    </message>
    <message>
        <source>1 minute</source>
        <translation>1 分钟</translation>
    </message>
    <message>
        <source>{} minutes</source>
        <translation>{} 分钟</translation>
    </message>
    <message>
        <source>1 hour</source>
        <translation>1 小时</translation>
    </message>
    <message>
        <source>{} hours</source>
        <translation>{} 小时</translation>
    </message>
    <message>
        <source>d MMM</source>
        <comment>a date, in the letters of QLocale</comment>
        <translation>M月d日</translation>
    </message>
    <message>
        <source>dddd, d MMM</source>
        <comment>a date, in the letters of QLocale</comment>
        <translation>M月d日 dddd</translation>
    </message>
    <message>
        <source>less than a second</source>
        <translation>不到一秒</translation>
    </message>
    <message>
        <source>1 second</source>
        <translation>1 秒</translation>
    </message>
    <message>
        <source>{} seconds</source>
        <translation>{} 秒</translation>
    </message>
    <message>
        <source>{energy} today so far: what a {watts}-watt lamp takes in {time}.</source>
        <translation>今天到目前为止 {energy}：相当于一盏 {watts} 瓦的灯 {time}的用电。</translation>
    </message>
    <message>
        <source>{energy} on a day with practice: what a {watts}-watt lamp takes in {time}.</source>
        <translation>练习一天用电 {energy}：相当于一盏 {watts} 瓦的灯 {time}的用电。</translation>
    </message>
    <message>
        <source>less than {} kWh</source>
        <translation>不到 {} 千瓦时</translation>
    </message>
    <message>
        <source>{} kWh</source>
        <translation>{} 千瓦时</translation>
    </message>
    <message>
        <source>Counted by the processor itself; Waggle&apos;s share of it.</source>
        <translation>由处理器自己计量；这是其中 Waggle 的份额。</translation>
    </message>
    <message>
        <source>An estimate: {time} of one processor core a day, at {watts} watts, by the table of green-algorithms.org. Screen and memory are not in it.</source>
        <translation>这是估算：每天一个处理器核心 {time}，按 green-algorithms.org 的表格每核心 {watts} 瓦计算。不含屏幕和内存。</translation>
    </message>
    <message>
        <source>Rounds of earlier releases and on graphics cards are not in it: {}.</source>
        <translation>不含早期版本的轮次和在显卡上的轮次：{} 轮。</translation>
    </message>
    <message>
        <source>Right now the whole computer draws {watts} watts.</source>
        <translation>此刻整台电脑的功率是 {watts} 瓦。</translation>
    </message>
    <message>
        <source>The battery lasts {time} more at the present pace.</source>
        <translation>按目前的用电，电池还能用 {time}。</translation>
    </message>
    <message>
        <source>Right now the whole computer draws {watts} watts: the battery lasts {time} more.</source>
        <translation>此刻整台电脑的功率是 {watts} 瓦：电池还能用 {time}。</translation>
    </message>
</context>
<context>
    <name>ContributionPage</name>
    <message>
        <source>Try again</source>
        <translation>重试</translation>
    </message>
    <message>
        <source>Open Home</source>
        <translation>打开首页</translation>
    </message>
    <message>
        <source>Join the swarm on the page Home: the first round counts.</source>
        <translation>在首页加入群：第一轮就算数。</translation>
    </message>
</context>
<context>
    <name>Core</name>
    <message>
        <source>Waking the model up</source>
        <translation>正在唤醒模型</translation>
    </message>
    <message>
        <source>Something unexpected went wrong. The log folder says more; please report it, and try again.</source>
        <translation>发生了意外错误。日志文件夹里有更多信息；请报告此问题，然后重试。</translation>
    </message>
    <message>
        <source>An exam needs at least {} puzzles; ask for more.</source>
        <translation>一次考试至少需要 {} 道谜题；请多要一些。</translation>
    </message>
    <message>
        <source>The model {} has already practised here with {} {}, not {}. Leave out --{} to go on with it, or choose another folder with --home.</source>
        <translation>模型 {} 已在这里用 {} {} 练习过，而不是 {}。去掉 --{} 即可继续，或用 --home 选择另一个文件夹。</translation>
    </message>
    <message>
        <source>choosing puzzles</source>
        <translation>正在挑选谜题</translation>
    </message>
    <message>
        <source>trying puzzles</source>
        <translation>正在尝试谜题</translation>
    </message>
    <message>
        <source>checking answers</source>
        <translation>正在检查答案</translation>
    </message>
    <message>
        <source>sharing with the swarm</source>
        <translation>正在与群交流</translation>
    </message>
    <message>
        <source>learning</source>
        <translation>正在学习</translation>
    </message>
    <message>
        <source>saving</source>
        <translation>正在保存</translation>
    </message>
    <message>
        <source>resting, so as not to take all of the computer</source>
        <translation>正在休息，以免占满整台电脑</translation>
    </message>
    <message>
        <source>Paused because you asked.</source>
        <translation>已按你的要求暂停。</translation>
    </message>
    <message>
        <source>Paused for a while, as you asked.</source>
        <translation>已按你的要求暂停一会儿。</translation>
    </message>
    <message>
        <source>Paused outside the hours that you chose.</source>
        <translation>不在你选择的时段内，已暂停。</translation>
    </message>
    <message>
        <source>Paused while the computer runs on battery.</source>
        <translation>电脑正使用电池，已暂停。</translation>
    </message>
    <message>
        <source>Paused while a program runs.</source>
        <translation>有程序正在运行，已暂停。</translation>
    </message>
    <message>
        <source>Paused while something fills the screen.</source>
        <translation>有内容占满屏幕，已暂停。</translation>
    </message>
    <message>
        <source>Paused while you use the computer.</source>
        <translation>你正在使用电脑，已暂停。</translation>
    </message>
    <message>
        <source>Paused until the computer has cooled down.</source>
        <translation>已暂停，等待电脑降温。</translation>
    </message>
    <message>
        <source>Paused because little memory is free.</source>
        <translation>空闲内存不多，已暂停。</translation>
    </message>
    <message>
        <source>Paused because the disk is nearly full. Free some space.</source>
        <translation>磁盘快满了，已暂停。请腾出一些空间。</translation>
    </message>
    <message>
        <source>Paused while the computer is busy with something else.</source>
        <translation>电脑正忙于其他事情，已暂停。</translation>
    </message>
    <message>
        <source>Monday</source>
        <translation>星期一</translation>
    </message>
    <message>
        <source>Tuesday</source>
        <translation>星期二</translation>
    </message>
    <message>
        <source>Wednesday</source>
        <translation>星期三</translation>
    </message>
    <message>
        <source>Thursday</source>
        <translation>星期四</translation>
    </message>
    <message>
        <source>Friday</source>
        <translation>星期五</translation>
    </message>
    <message>
        <source>Saturday</source>
        <translation>星期六</translation>
    </message>
    <message>
        <source>Sunday</source>
        <translation>星期日</translation>
    </message>
    <message>
        <source>Round {0}: {1}.</source>
        <translation>第 {0} 轮：{1}。</translation>
    </message>
    <message>
        <source>Getting to know your model: {} %.</source>
        <translation>正在了解你的模型：{} %。</translation>
    </message>
    <message>
        <source>First it is seen how far your model gets in each kind of puzzle, from the easiest level up. Then there is a number.</source>
        <translation>首先会从最简单的级别开始，了解你的模型在每种谜题上能达到什么程度，然后才会给出数字。</translation>
    </message>
    <message>
        <source>Paused while {} runs.</source>
        <translation>{} 正在运行，已暂停。</translation>
    </message>
    <message>
        <source>Goes on on {0} at {1}.</source>
        <translation>将于{0} {1} 继续。</translation>
    </message>
    <message>
        <source>starting</source>
        <translation>正在开始</translation>
    </message>
    <message>
        <source>Round {0}: {1}; this is the last round.</source>
        <translation>第 {0} 轮：{1}；这是最后一轮。</translation>
    </message>
    <message>
        <source>Round {0}: {1}; pausing after it.</source>
        <translation>第 {0} 轮：{1}；之后暂停。</translation>
    </message>
    <message>
        <source>Your model has not practised yet.</source>
        <translation>你的模型还没有练习过。</translation>
    </message>
    <message>
        <source>Ready when you are.</source>
        <translation>准备好了，随时可以开始。</translation>
    </message>
    <message>
        <source>{}…</source>
        <translation>{}…</translation>
    </message>
    <message>
        <source>Stopped. Everything that was learnt is saved.</source>
        <translation>已停止。学到的一切都已保存。</translation>
    </message>
    <message>
        <source>Goes on at {}.</source>
        <translation>将于 {} 继续。</translation>
    </message>
    <message>
        <source>Swarm: {} %.</source>
        <translation>群：{} %。</translation>
    </message>
    <message>
        <source>Getting ready</source>
        <translation>正在准备</translation>
    </message>
    <message>
        <source>This system does not let Waggle change what starts with it ({}). Look into its own settings for programs that start by themselves.</source>
        <translation>这个系统不允许 Waggle 更改开机启动项（{}）。请在系统自己的启动程序设置中查看。</translation>
    </message>
    <message>
        <source>This model has not practised here yet, so there is nothing to put aside.</source>
        <translation>这个模型还没有在这里练习过，所以没有可存放的内容。</translation>
    </message>
    <message>
        <source>There is no such backup any more. Look at the list again.</source>
        <translation>这个备份已不存在。请再看一下列表。</translation>
    </message>
    <message>
        <source>{} was not started over</source>
        <translation>{} 没有重新开始</translation>
    </message>
    <message>
        <source>nothing was brought back</source>
        <translation>没有找回任何内容</translation>
    </message>
    <message>
        <source>This computer is {} from the next start of practice on.</source>
        <translation>从下次开始练习起，这台电脑就是 {}。</translation>
    </message>
    <message>
        <source>Everything that Waggle kept on this computer is removed.</source>
        <translation>Waggle 在这台电脑上保存的一切都已删除。</translation>
    </message>
    <message>
        <source>Who was here before is kept in {}.</source>
        <translation>之前的身份保存在 {}。</translation>
    </message>
    <message>
        <source>In {} is left what Waggle did not make.</source>
        <translation>{} 中留下的不是 Waggle 创建的内容。</translation>
    </message>
    <message>
        <source>{} cannot be written ({}). Choose another place.</source>
        <translation>无法写入 {}（{}）。请选择其他位置。</translation>
    </message>
    <message>
        <source>This computer has no identity yet. Join a swarm once, then there is one to back up.</source>
        <translation>这台电脑还没有身份。先加入一次群，就有可备份的身份了。</translation>
    </message>
    <message>
        <source>{} is backed up in {}. Keep that file to yourself.</source>
        <translation>{} 已备份到 {}。请勿将该文件交给他人。</translation>
    </message>
    <message>
        <source>{} is no backup of an identity. Choose another file.</source>
        <translation>{} 不是身份备份。请选择其他文件。</translation>
    </message>
    <message>
        <source>{} cannot be read ({}). Choose another file.</source>
        <translation>无法读取 {}（{}）。请选择其他文件。</translation>
    </message>
    <message>
        <source>The identity of this node, {}, is damaged. Restore a backup of it.</source>
        <translation>这个节点的身份 {} 已损坏。请恢复它的备份。</translation>
    </message>
    <message>
        <source>{} {} on {}, {} cores, Python {}</source>
        <translation>{} {}，{}，{} 个核心，Python {}</translation>
    </message>
    <message>
        <source>{0} of {1} are free</source>
        <translation>{1} 中有 {0} 空闲</translation>
    </message>
    <message>
        <source>PyTorch, and llama.cpp is not installed; fastest here: {}</source>
        <translation>PyTorch；未安装 llama.cpp；这里最快的是：{}</translation>
    </message>
    <message>
        <source>{0} are free for {1}</source>
        <translation>{1} 有 {0} 空闲</translation>
    </message>
    <message>
        <source>defaults; to change them, write {}</source>
        <translation>默认设置；要更改请写入 {}</translation>
    </message>
    <message>
        <source>found out at first use</source>
        <translation>首次使用时得知</translation>
    </message>
    <message>
        <source>as in {}</source>
        <translation>见 {}</translation>
    </message>
    <message>
        <source>PyTorch, and llama.cpp too; fastest here: {}</source>
        <translation>PyTorch，还有 llama.cpp；这里最快的是：{}</translation>
    </message>
    <message>
        <source>{}, {}, cannot be used ({}). Move it away to start a new one, or choose another folder.</source>
        <translation>{} {} 无法使用（{}）。请移走它以重新开始，或选择另一个文件夹。</translation>
    </message>
    <message>
        <source>The record of rounds {} was written by a newer Waggle. Update this one, or choose another folder.</source>
        <translation>轮次记录 {} 由更新的 Waggle 写成。请更新这一个，或选择另一个文件夹。</translation>
    </message>
    <message>
        <source>rotations of the type {}</source>
        <translation>类型为 {} 的旋转</translation>
    </message>
    <message>
        <source>a tensor like {}</source>
        <translation>像 {} 这样的张量</translation>
    </message>
    <message>
        <source>weights as safetensors</source>
        <translation>safetensors 格式的权重</translation>
    </message>
    <message>
        <source>an orderly list of files</source>
        <translation>规整的文件列表</translation>
    </message>
    <message>
        <source>{} has {}, too much for Waggle. Choose a smaller model.</source>
        <translation>{} 有 {}，对 Waggle 来说太大。请选择更小的模型。</translation>
    </message>
    <message>
        <source>Nothing can listen on {} ({}). Choose another port or address.</source>
        <translation>无法在 {} 上监听（{}）。请选择另一个端口或地址。</translation>
    </message>
    <message>
        <source>Waggle cannot use the folder {} ({}). Make it writable, or choose another one.</source>
        <translation>Waggle 无法使用文件夹 {}（{}）。请使它可写，或选择另一个。</translation>
    </message>
    <message>
        <source>{} of memory are free</source>
        <translation>空闲内存 {}</translation>
    </message>
    <message>
        <source>{} are free on the disk</source>
        <translation>磁盘空闲 {}</translation>
    </message>
    <message>
        <source>The meeting point at {} takes nothing of what you share; ask its host, or use another one.</source>
        <translation>会合点 {} 不接受你分享的任何内容；请询问其主持者，或改用其他会合点。</translation>
    </message>
    <message>
        <source>answers of others are judged in a process of its own: {}.</source>
        <translation>他人的答案在独立进程中评判：{}。</translation>
    </message>
    <message>
        <source>only {0} are free for {1}; free some space</source>
        <translation>{1} 只有 {0} 空闲；请腾出一些空间</translation>
    </message>
    <message>
        <source>Not to be had here: {}.</source>
        <translation>这里没有：{}。</translation>
    </message>
    <message>
        <source>none</source>
        <translation>无</translation>
    </message>
    <message>
        <source>try again</source>
        <translation>重试</translation>
    </message>
    <message>
        <source>This cannot be done while Waggle practises. Stop practice on Home, then try again.</source>
        <translation>Waggle 练习时不能这样做。请在首页停止练习，然后重试。</translation>
    </message>
    <message>
        <source>Another Waggle is already running on {}. Use that one, or give this one a folder of its own.</source>
        <translation>另一个 Waggle 已在 {} 上运行。请使用那一个，或为这一个指定自己的文件夹。</translation>
    </message>
    <message>
        <source>Then it pauses, as you asked.</source>
        <translation>随后将按你的要求暂停。</translation>
    </message>
    <message>
        <source>Then it pauses for a while, as you asked.</source>
        <translation>随后将按你的要求暂停一会儿。</translation>
    </message>
    <message>
        <source>Then it pauses, because the hours that you chose are over.</source>
        <translation>随后将暂停，因为你选择的时段已过。</translation>
    </message>
    <message>
        <source>Then it pauses, because the computer runs on battery.</source>
        <translation>随后将暂停，因为电脑正使用电池。</translation>
    </message>
    <message>
        <source>Then it pauses, because a program runs.</source>
        <translation>随后将暂停，因为有程序正在运行。</translation>
    </message>
    <message>
        <source>Then it pauses, because something fills the screen.</source>
        <translation>随后将暂停，因为有内容占满屏幕。</translation>
    </message>
    <message>
        <source>Then it pauses, because you use the computer.</source>
        <translation>随后将暂停，因为你正在使用电脑。</translation>
    </message>
    <message>
        <source>Then it pauses, because the computer is hot.</source>
        <translation>随后将暂停，因为电脑温度过高。</translation>
    </message>
    <message>
        <source>Then it pauses, because little memory is free.</source>
        <translation>随后将暂停，因为空闲内存不多。</translation>
    </message>
    <message>
        <source>Then it pauses, because the disk is nearly full.</source>
        <translation>随后将暂停，因为磁盘快满了。</translation>
    </message>
    <message>
        <source>Then it pauses, because the computer is busy with something else.</source>
        <translation>随后将暂停，因为电脑正忙于其他事情。</translation>
    </message>
    <message>
        <source>resting until {}, so as not to take all of the computer</source>
        <translation>休息到 {}，以免占满整台电脑</translation>
    </message>
    <message>
        <source>Then it pauses, because {} runs.</source>
        <translation>随后将暂停，因为 {} 正在运行。</translation>
    </message>
    <message>
        <source>{} are here; {} more can be downloaded</source>
        <translation>{} 在这里；还可下载 {} 个</translation>
    </message>
    <message>
        <source>For a moment this takes about {} of memory, and {} are free. Close other programs, or stop practising, and try again.</source>
        <translation>这会短暂需要约 {} 内存，而空闲的有 {}。请关闭其他程序或停止练习，然后重试。</translation>
    </message>
    <message>
        <source>The meeting point on this computer ended unexpectedly. Open it again; if that goes on, the log folder says more.</source>
        <translation>这台电脑上的会合点意外结束了。请重新打开；如果一直这样，日志文件夹里有更多信息。</translation>
    </message>
    <message>
        <source>The meeting point cannot be started ({}). Close other programs, or restart the computer.</source>
        <translation>无法启动会合点（{}）。请关闭其他程序，或重启电脑。</translation>
    </message>
    <message>
        <source>{} is no id of a meeting point. It shows one when it opens.</source>
        <translation>{} 不是会合点的标识。会合点打开时会显示一个。</translation>
    </message>
    <message>
        <source>{} is no picture that can be made. Name it .png or .svg.</source>
        <translation>无法生成图片 {}。请用 .png 或 .svg 结尾。</translation>
    </message>
    <message>
        <source>This invite names a meeting point that has no proper address ({}). Ask for a new invite.</source>
        <translation>这份邀请中的会合点没有正确的地址（{}）。请要一份新的邀请。</translation>
    </message>
    <message>
        <source>{} was not downloaded again</source>
        <translation>没有重新下载 {}</translation>
    </message>
    <message>
        <source>Damaged: {}. Download the model again.</source>
        <translation>已损坏：{}。请重新下载模型。</translation>
    </message>
    <message>
        <source>{} comes with Waggle and stays. Nothing was removed.</source>
        <translation>{} 随 Waggle 提供，会保留。没有删除任何内容。</translation>
    </message>
    <message>
        <source>{} was not removed</source>
        <translation>没有删除 {}</translation>
    </message>
    <message>
        <source>Nothing of {} was on this computer; nothing was removed.</source>
        <translation>这台电脑上没有 {} 的任何内容；没有删除任何内容。</translation>
    </message>
    <message>
        <source>{} was not downloaded, so there is nothing to check.</source>
        <translation>{} 没有下载过，所以没有可检查的内容。</translation>
    </message>
    <message>
        <source>A Waggle is running on {}, so {}. Stop it, then try again.</source>
        <translation>有一个 Waggle 正在 {} 上运行，所以{}。请停止它，然后重试。</translation>
    </message>
    <message>
        <source>others nearby can be looked for on {}</source>
        <translation>可以通过 {} 寻找附近的其他人</translation>
    </message>
    <message>
        <source>a port can be opened for others on this network</source>
        <translation>可以为这个网络中的其他人打开一个端口</translation>
    </message>
    <message>
        <source>{} answers, with a clock {} s apart</source>
        <translation>{} 有回应，时钟相差 {} 秒</translation>
    </message>
    <message>
        <source>{} answers, but its clock is {} minutes behind this computer&apos;s. Set the clock.</source>
        <translation>{} 有回应，但它的时钟比这台电脑慢 {} 分钟。请校准时钟。</translation>
    </message>
    <message>
        <source>none is named; others are met on this network and by invites</source>
        <translation>没有指定；通过这个网络和邀请与其他人会合</translation>
    </message>
    <message>
        <source>{} answers, with the same time</source>
        <translation>{} 有回应，时间一致</translation>
    </message>
    <message>
        <source>{} answers, but its clock is {} minutes before this computer&apos;s. Set the clock.</source>
        <translation>{} 有回应，但它的时钟比这台电脑快 {} 分钟。请校准时钟。</translation>
    </message>
    <message>
        <source>Somebody else answers at this computer&apos;s ports. Ask who looks after it.</source>
        <translation>在这台电脑的端口上回应的是别人。请询问负责它的人。</translation>
    </message>
    <message>
        <source>{} does not answer ({}). Check its address and this computer&apos;s connection.</source>
        <translation>{} 没有回应（{}）。请检查它的地址和这台电脑的网络连接。</translation>
    </message>
    <message>
        <source>{} is a meeting point of another release. Update Waggle; if it is up to date, the meeting point has to be.</source>
        <translation>{} 是另一个版本的会合点。请更新 Waggle；如果已是最新版本，则需要更新会合点。</translation>
    </message>
    <message>
        <source>Somebody else answers at {}. Ask for a new invite.</source>
        <translation>在 {} 回应的是别人。请要一份新的邀请。</translation>
    </message>
    <message>
        <source>installed</source>
        <translation>已安装</translation>
    </message>
    <message>
        <source>Nobody can ask this computer directly ({}). Let Waggle open ports in the firewall, or meet others at hubs.</source>
        <translation>没有人能直接询问这台电脑（{}）。请允许 Waggle 在防火墙中打开端口，或在会合点与其他人会合。</translation>
    </message>
    <message>
        <source>{} needs about {} of memory to answer, and {} are free. Close other programs, or stop practising for as long as it takes.</source>
        <translation>{} 回答需要约 {} 内存，而空闲的有 {}。请关闭其他程序，或在此期间停止练习。</translation>
    </message>
    <message>
        <source>{} holds these findings, the versions of what is installed and the last {} lines of the log. Addresses, ids, invites and names were taken out. Look into it before you hand it on.</source>
        <translation>{} 包含这些结果、已安装内容的版本和日志的最后 {} 行。地址、标识、邀请和名称已被去除。转交之前请先看一看。</translation>
    </message>
    <message>
        <source>That is too long for {}. Ask it something shorter.</source>
        <translation>这对 {} 来说太长了。请问短一点的。</translation>
    </message>
    <message>
        <source>The answers could not be checked. Try another puzzle.</source>
        <translation>无法检查答案。请试试另一个谜题。</translation>
    </message>
    <message>
        <source>There is nothing to answer yet. Write a question first.</source>
        <translation>还没有可回答的内容。请先写一个问题。</translation>
    </message>
    <message>
        <source>{} is no address. Write it like 0.0.0.0:8765 or [::]:8765.</source>
        <translation>{} 不是地址。请写成 0.0.0.0:8765 或 [::]:8765 的样子。</translation>
    </message>
    <message>
        <source>{} is no store. Write it like sqlite:hub.sqlite or redis://127.0.0.1:6379.</source>
        <translation>{} 不是存储。请写成 sqlite:hub.sqlite 或 redis://127.0.0.1:6379 的样子。</translation>
    </message>
    <message>
        <source>The record of rounds</source>
        <translation>轮次记录</translation>
    </message>
    <message>
        <source>{}.{} GB</source>
        <translation>{}.{} GB</translation>
    </message>
    <message>
        <source>Choose one of: {}.</source>
        <translation>请从中选择：{}。</translation>
    </message>
    <message>
        <source>{} MB</source>
        <translation>{} MB</translation>
    </message>
    <message>
        <source>Did you mean {}?</source>
        <translation>你是指 {} 吗？</translation>
    </message>
    <message>
        <source>There is no model called {}. {}</source>
        <translation>没有名为 {} 的模型。{}</translation>
    </message>
    <message>
        <source>The list of models {} cannot be read ({}). Install Waggle again.</source>
        <translation>无法读取模型列表 {}（{}）。请重新安装 Waggle。</translation>
    </message>
    <message>
        <source>it takes more than {} seconds</source>
        <translation>它用时超过 {} 秒</translation>
    </message>
    <message>
        <source>it takes more than {} MB of memory</source>
        <translation>它占用超过 {} MB 内存</translation>
    </message>
    <message>
        <source>it says too much</source>
        <translation>它输出太多</translation>
    </message>
    <message>
        <source>it crashes what reads it</source>
        <translation>它会让读取它的程序崩溃</translation>
    </message>
    <message>
        <source>it cannot be tried out ({})</source>
        <translation>无法试用它（{}）</translation>
    </message>
    <message>
        <source>{} ships with Waggle. There is nothing to download.</source>
        <translation>{} 随 Waggle 提供，无需下载。</translation>
    </message>
    <message>
        <source>{} exists already. Choose another place, or let it be replaced.</source>
        <translation>{} 已存在。请选择其他位置，或允许替换。</translation>
    </message>
    <message>
        <source>{} is no earlier export, so it is not replaced. Choose another place.</source>
        <translation>{} 不是之前的导出，所以不会被替换。请选择其他位置。</translation>
    </message>
    <message>
        <source>The tokenizer of the model {} in {} is missing, damaged or of an unknown kind. Install the model again, or export it in another form.</source>
        <translation>模型 {} 在 {} 中的分词器缺失、损坏或类型未知。请重新安装模型，或以其他形式导出。</translation>
    </message>
    <message>
        <source>Your access token does not open {}. Accept the model&apos;s licence on huggingface.co/{}, then try again.</source>
        <translation>你的访问令牌打不开 {}。请在 huggingface.co/{} 接受该模型的许可证，然后重试。</translation>
    </message>
    <message>
        <source>The model hub answered with the error {} when asked for {}. Try again later.</source>
        <translation>模型来源返回错误 {}（请求 {} 时）。请稍后重试。</translation>
    </message>
    <message>
        <source>{} has {} files, too many for Waggle. Choose another model.</source>
        <translation>{} 有 {} 个文件，对 Waggle 来说太多。请另选模型。</translation>
    </message>
    <message>
        <source>{} needs your access token, which is not sent to {}: that line is not encrypted. Let HF_ENDPOINT begin with https.</source>
        <translation>{} 需要你的访问令牌，但不会发送给 {}：那条线路没有加密。请让 HF_ENDPOINT 以 https 开头。</translation>
    </message>
    <message>
        <source>{} is only given to those who accepted its licence. Accept it on huggingface.co/{}, make an access token there, and give it to Waggle on the page Models, or with: waggle models token</source>
        <translation>{} 只提供给接受了其许可证的人。请在 huggingface.co/{} 接受，在那里创建访问令牌，并在“模型”页面交给 Waggle，或用：waggle models token</translation>
    </message>
    <message>
        <source>Hugging Face refused your access token; it may have expired. Make a new one on huggingface.co/settings/tokens and put it into HF_TOKEN where you set that variable, else give it to Waggle on the page Models, or with: waggle models token</source>
        <translation>Hugging Face 拒绝了你的访问令牌；它可能已过期。请在 huggingface.co/settings/tokens 创建新的；如果你设置了 HF_TOKEN 变量，就放进那里，否则在“模型”页面交给 Waggle，或用：waggle models token</translation>
    </message>
    <message>
        <source>a file {}</source>
        <translation>文件 {}</translation>
    </message>
    <message>
        <source>{} cannot be downloaded while HF_HUB_OFFLINE forbids the network. Unset that variable and try again.</source>
        <translation>HF_HUB_OFFLINE 禁止联网时无法下载 {}。请取消该变量，然后重试。</translation>
    </message>
    <message>
        <source>The model hub cannot be reached, or does not answer as it should. Look at your connection and try again.</source>
        <translation>无法连接模型来源，或它的回应不正常。请检查网络连接，然后重试。</translation>
    </message>
    <message>
        <source>That is no access token: it has blanks or signs that none has. Copy it again from huggingface.co/settings/tokens and give it to Waggle on the page Models, or with: waggle models token</source>
        <translation>这不是访问令牌：它含有空格或令牌不会有的字符。请从 huggingface.co/settings/tokens 重新复制，并在“模型”页面交给 Waggle，或用：waggle models token</translation>
    </message>
    <message>
        <source>This computer has no keyring that could keep the token ({}). Put it into the environment variable HF_TOKEN instead.</source>
        <translation>这台电脑没有可以保存令牌的密钥环（{}）。请改为放入环境变量 HF_TOKEN。</translation>
    </message>
    <message>
        <source>it is of the family {}, not {}</source>
        <translation>它属于 {} 系列，而不是 {}</translation>
    </message>
    <message>
        <source>The model {} cannot be used: {}. Choose another one.</source>
        <translation>模型 {} 无法使用：{}。请另选一个。</translation>
    </message>
    <message>
        <source>it reads no more than {} tokens at once</source>
        <translation>它一次最多读取 {} 个词元</translation>
    </message>
    <message>
        <source>its tokenizer belongs to another model</source>
        <translation>它的分词器属于另一个模型</translation>
    </message>
    <message>
        <source>its chat template leaves {} of {} tokens for a question and its answer, which take {}</source>
        <translation>它的对话模板只留下 {} 个词元（共 {} 个）给问题和回答，而它们需要 {} 个</translation>
    </message>
    <message>
        <source>its weights in {} are missing</source>
        <translation>它在 {} 中的权重缺失</translation>
    </message>
    <message>
        <source>its configuration is missing</source>
        <translation>它的配置缺失</translation>
    </message>
    <message>
        <source>its tokenizer cannot read every text</source>
        <translation>它的分词器不能读取所有文本</translation>
    </message>
    <message>
        <source>its generation settings are damaged</source>
        <translation>它的生成设置已损坏</translation>
    </message>
    <message>
        <source>its tokenizer is missing or damaged</source>
        <translation>它的分词器缺失或损坏</translation>
    </message>
    <message>
        <source>its chat template adds nothing to a question</source>
        <translation>它的对话模板没有给问题添加任何内容</translation>
    </message>
    <message>
        <source>its chat template is missing</source>
        <translation>它的对话模板缺失</translation>
    </message>
    <message>
        <source>its tokenizer has no end-of-sequence token</source>
        <translation>它的分词器没有结束词元</translation>
    </message>
    <message>
        <source>its chat template is of no use: {}</source>
        <translation>它的对话模板无法使用：{}</translation>
    </message>
    <message>
        <source>its chat template is damaged</source>
        <translation>它的对话模板已损坏</translation>
    </message>
    <message>
        <source>download the model again; what came in is kept, and it goes on where it stopped</source>
        <translation>重新下载模型；已收到的部分会保留，并从中断处继续</translation>
    </message>
    <message>
        <source>Files of the model {} are missing. Download it again on the page Models, or with: waggle models get {}</source>
        <translation>模型 {} 缺少文件。请在“模型”页面重新下载，或用：waggle models get {}</translation>
    </message>
    <message>
        <source> ({})</source>
        <translation>（{}）</translation>
    </message>
    <message>
        <source>Another Waggle is downloading {} right now. Wait until it is done.</source>
        <translation>另一个 Waggle 正在下载 {}。请等它完成。</translation>
    </message>
    <message>
        <source>The certificate of the model hub cannot be trusted, so nothing was downloaded. Look at this computer&apos;s clock; where a company looks into the traffic, name the file with its certificate in SSL_CERT_FILE.</source>
        <translation>模型来源的证书不可信，所以没有下载任何内容。请检查这台电脑的时钟；如果公司会检查流量，请在 SSL_CERT_FILE 中指定含其证书的文件。</translation>
    </message>
    <message>
        <source>No encrypted line to the model hub could be made. Look at HF_ENDPOINT, at the proxy settings of this computer, and at programs that look into its traffic.</source>
        <translation>无法与模型来源建立加密线路。请检查 HF_ENDPOINT、这台电脑的代理设置，以及检查其流量的程序。</translation>
    </message>
    <message>
        <source>The model hub sends Waggle to an address that is none ({}). Look at HF_ENDPOINT and at the proxy settings of this computer.</source>
        <translation>模型来源把 Waggle 引向一个无效地址（{}）。请检查 HF_ENDPOINT 和这台电脑的代理设置。</translation>
    </message>
    <message>
        <source>its weights are missing or damaged</source>
        <translation>它的权重缺失或损坏</translation>
    </message>
    <message>
        <source>The model {} in {} cannot be used: {}. Install it again.</source>
        <translation>模型 {}（位于 {}）无法使用：{}。请重新安装。</translation>
    </message>
    <message>
        <source>its configuration is not understood</source>
        <translation>无法理解它的配置</translation>
    </message>
    <message>
        <source>some of its weights are missing, such as {}</source>
        <translation>它的部分权重缺失，例如 {}</translation>
    </message>
    <message>
        <source>it has more than {} characters</source>
        <translation>它超过 {} 个字符</translation>
    </message>
    <message>
        <source>it is no text</source>
        <translation>它不是文本</translation>
    </message>
    <message>
        <source>it breaks out of its bounds</source>
        <translation>它越出了界限</translation>
    </message>
    <message>
        <source>it counts positions in another way than those supported: {}</source>
        <translation>它计算位置的方式不受支持；支持的有：{}</translation>
    </message>
    <message>
        <source>its way of counting positions is not described in full</source>
        <translation>它计算位置的方式没有完整说明</translation>
    </message>
    <message>
        <source>it is of the architecture {}, and only these are supported: {}</source>
        <translation>它的架构是 {}，而只支持这些：{}</translation>
    </message>
    <message>
        <source>its weights are quantised, and only plain ones can be trained here</source>
        <translation>它的权重经过量化，而这里只能训练未量化的权重</translation>
    </message>
    <message>
        <source>it looks back through a sliding window, which is not supported</source>
        <translation>它通过滑动窗口回看，这不受支持</translation>
    </message>
    <message>
        <source>it has layers that are not supported</source>
        <translation>它含有不受支持的层</translation>
    </message>
    <message>
        <source>its attention heads do not divide evenly</source>
        <translation>它的注意力头不能均分</translation>
    </message>
    <message>
        <source>its configuration names no architecture</source>
        <translation>它的配置没有写明架构</translation>
    </message>
    <message>
        <source>its configuration is damaged</source>
        <translation>它的配置已损坏</translation>
    </message>
    <message>
        <source>Close other programs, or choose the next smaller model: {}.</source>
        <translation>请关闭其他程序，或选择小一级的模型：{}。</translation>
    </message>
    <message>
        <source>Close other programs and try again.</source>
        <translation>请关闭其他程序，然后重试。</translation>
    </message>
    <message>
        <source>it says {}</source>
        <translation>它说 {}</translation>
    </message>
    <message>
        <source>it writes what it is given {} times</source>
        <translation>它把收到的内容写了 {} 次</translation>
    </message>
    <message>
        <source>it writes more than {} characters</source>
        <translation>它写出超过 {} 个字符</translation>
    </message>
    <message>
        <source>it fails</source>
        <translation>它出错</translation>
    </message>
    <message>
        <source>its tokenizer is of no use: {}</source>
        <translation>它的分词器无法使用：{}</translation>
    </message>
    <message>
        <source>its tokenizer breaks out of its bounds</source>
        <translation>它的分词器越出了界限</translation>
    </message>
    <message>
        <source>The model hub answered with the error {} when asked for {} of {}. Try again later.</source>
        <translation>模型来源返回错误 {}（请求 {}，属于 {}）。请稍后重试。</translation>
    </message>
    <message>
        <source>The file {} of {} is not the one that the hub announced, and was thrown away. Try again later.</source>
        <translation>文件 {}（属于 {}）与模型来源公布的不符，已被丢弃。请稍后重试。</translation>
    </message>
    <message>
        <source>There is no room for {}: it needs {} on the disk of {}, and {} are free. Free some space and try again.</source>
        <translation>没有空间存放 {}：需要 {}，磁盘 {} 上空闲的有 {}。请腾出一些空间，然后重试。</translation>
    </message>
    <message>
        <source>The connection broke off while {} was being downloaded. Try again: it goes on where it stopped.</source>
        <translation>下载 {} 时连接中断。请重试：会从中断处继续。</translation>
    </message>
    <message>
        <source>The weights of the model {} in {} are missing or damaged. Install it again.</source>
        <translation>模型 {} 在 {} 中的权重缺失或损坏。请重新安装。</translation>
    </message>
    <message>
        <source>the list of its weights names other files</source>
        <translation>它的权重列表写的是其他文件</translation>
    </message>
    <message>
        <source>some of its weights are missing</source>
        <translation>它的部分权重缺失</translation>
    </message>
    <message>
        <source>its weights are there twice, such as in {}</source>
        <translation>它的权重重复出现，例如在 {} 中</translation>
    </message>
    <message>
        <source>its weights are those of another network: {}</source>
        <translation>它的权重属于另一个网络：{}</translation>
    </message>
    <message>
        <source>the list of its weights is damaged</source>
        <translation>它的权重列表已损坏</translation>
    </message>
    <message>
        <source>its weights in {} are not those of their list</source>
        <translation>它在 {} 中的权重与列表不符</translation>
    </message>
    <message>
        <source>its weight {} is of another size than its configuration says</source>
        <translation>它的权重 {} 的大小与配置不符</translation>
    </message>
    <message>
        <source>its weights in {} are damaged</source>
        <translation>它在 {} 中的权重已损坏</translation>
    </message>
    <message>
        <source>its weights are stored as {}, and only {} can be used</source>
        <translation>它的权重以 {} 存储，而只能使用 {}</translation>
    </message>
    <message>
        <source>{} is no address of a meeting point. Write it like https://hub.example.org or http://192.168.1.5:8765.</source>
        <translation>{} 不是会合点的地址。请写成 https://hub.example.org 或 http://192.168.1.5:8765 的样子。</translation>
    </message>
    <message>
        <source>Whoever answers there is no node.</source>
        <translation>在那里应答的不是节点。</translation>
    </message>
    <message>
        <source>No certificate can be made ({}). Free some space.</source>
        <translation>无法创建证书（{}）。请腾出一些空间。</translation>
    </message>
    <message>
        <source>Nobody answers at {}:{} ({}).</source>
        <translation>{}:{} 无人应答（{}）。</translation>
    </message>
    <message>
        <source>Whoever answers there shows no certificate of a node.</source>
        <translation>在那里应答者没有出示节点的证书。</translation>
    </message>
    <message>
        <source>To start from the beginning, choose Start over… in the model&apos;s details under Models: a backup is kept. Without the window, move its folder of checkpoints away.</source>
        <translation>要从头开始，请在“模型”页该模型的详情中选择“重新开始…”：会保留备份。没有窗口时，请移走它的检查点文件夹。</translation>
    </message>
    <message>
        <source>start again; everything up to the last finished round is kept</source>
        <translation>重新开始；到最后完成的一轮为止的一切都已保留</translation>
    </message>
    <message>
        <source>The disk that holds {} is full. Free some space and {}.</source>
        <translation>存放 {} 的磁盘已满。请腾出一些空间，然后{}。</translation>
    </message>
    <message>
        <source>{}, {}</source>
        <translation>{}、{}</translation>
    </message>
    <message>
        <source>Trying out what is fastest on this computer</source>
        <translation>正在试验什么在这台电脑上最快</translation>
    </message>
    <message>
        <source>Preparing a copy of the model for fast sampling</source>
        <translation>正在准备模型的副本，以便快速采样</translation>
    </message>
    <message>
        <source>llama.cpp is not installed here. Choose another sampler, or install llama-cpp-python.</source>
        <translation>这里没有安装 llama.cpp。请选择其他采样器，或安装 llama-cpp-python。</translation>
    </message>
    <message>
        <source>The file {} cannot be loaded by llama.cpp ({}). Delete it, and it is made again.</source>
        <translation>llama.cpp 无法加载文件 {}（{}）。删除它后会重新生成。</translation>
    </message>
    <message>
        <source>The adapter {} cannot be used by llama.cpp ({}). Let it be written again.</source>
        <translation>llama.cpp 无法使用适配器 {}（{}）。请让它重新写出。</translation>
    </message>
    <message>
        <source>The copy of the model {} for llama.cpp is one of another model. Delete it, and it is made again.</source>
        <translation>供 llama.cpp 使用的模型 {} 的副本属于另一个模型。删除它后会重新生成。</translation>
    </message>
    <message>
        <source>runs on battery</source>
        <translation>正使用电池</translation>
    </message>
    <message>
        <source>runs on mains, without a battery</source>
        <translation>正使用外接电源，没有电池</translation>
    </message>
    <message>
        <source>runs on mains, {} % full</source>
        <translation>正使用外接电源，电量 {} %</translation>
    </message>
    <message>
        <source>there is a battery, but the system does not tell whether it is in use</source>
        <translation>有电池，但系统不告知是否在使用</translation>
    </message>
    <message>
        <source>runs on battery, {} % full</source>
        <translation>正使用电池，电量 {} %</translation>
    </message>
    <message>
        <source>the processor has {} °C</source>
        <translation>处理器温度 {} °C</translation>
    </message>
    <message>
        <source>this computer does not tell how hot its processor is</source>
        <translation>这台电脑不告知处理器的温度</translation>
    </message>
    <message>
        <source>no program of this desktop tells when it was last touched</source>
        <translation>这个桌面没有程序告知上次操作的时间</translation>
    </message>
    <message>
        <source>the screen saver</source>
        <translation>屏幕保护程序</translation>
    </message>
    <message>
        <source>untouched for {} s, says {}</source>
        <translation>已 {} 秒无操作，来自 {}</translation>
    </message>
    <message>
        <source>others use {} % of the processor</source>
        <translation>其他程序使用 {} % 的处理器</translation>
    </message>
    <message>
        <source>how busy the processor is will be known in a moment</source>
        <translation>稍后就能知道处理器有多忙</translation>
    </message>
    <message>
        <source>moderate</source>
        <translation>中等</translation>
    </message>
    <message>
        <source>heavy</source>
        <translation>重</translation>
    </message>
    <message>
        <source>very heavy</source>
        <translation>很重</translation>
    </message>
    <message>
        <source>about to sleep</source>
        <translation>即将休眠</translation>
    </message>
    <message>
        <source>pressure by heat: {}</source>
        <translation>散热压力：{}</translation>
    </message>
    <message>
        <source>macOS does not tell how hot the computer is</source>
        <translation>macOS 不告知电脑的温度</translation>
    </message>
    <message>
        <source>untouched for {} s</source>
        <translation>已 {} 秒无操作</translation>
    </message>
    <message>
        <source>macOS does not tell when it was last touched</source>
        <translation>macOS 不告知上次操作的时间</translation>
    </message>
    <message>
        <source>{} programs run</source>
        <translation>有 {} 个程序在运行</translation>
    </message>
    <message>
        <source>the system lists no programs</source>
        <translation>系统没有列出任何程序</translation>
    </message>
    <message>
        <source>cannot be read ({}: {})</source>
        <translation>无法读取（{}：{}）</translation>
    </message>
    <message>
        <source>Check that this network lets UDP through, or add a meeting point.</source>
        <translation>请确认这个网络允许 UDP 通过，或添加一个会合点。</translation>
    </message>
    <message>
        <source>Looking for others over the internet could not start ({}). Add a meeting point instead, or install Waggle anew.</source>
        <translation>无法开始通过互联网寻找其他人（{}）。请改为添加一个会合点，或重新安装 Waggle。</translation>
    </message>
    <message>
        <source>Finding others over the internet without a meeting point needs libtorrent, which is not installed. Install it, or add a meeting point.</source>
        <translation>不经会合点通过互联网寻找其他人需要 libtorrent，而它没有安装。请安装它，或添加一个会合点。</translation>
    </message>
    <message>
        <source>Looking for others on the internet failed unexpectedly; it is tried again. If that goes on, add a meeting point.</source>
        <translation>在互联网上寻找其他人时意外失败；正在重试。如果一直这样，请添加一个会合点。</translation>
    </message>
    <message>
        <source>No way to others is open: add a meeting point, or allow meeting others on this network.</source>
        <translation>没有通往其他人的途径：请添加一个会合点，或允许在这个网络上与其他人会合。</translation>
    </message>
    <message>
        <source>This swarm practises decks that are not on this computer. See them first, and agree to them, on the page Swarm.</source>
        <translation>这个群练习的题集不在这台电脑上。请先在“群”页面查看并同意。</translation>
    </message>
    <message>
        <source>The saved progress {} was written by another version of Waggle. Use that version.</source>
        <translation>保存的进度 {} 由另一个版本的 Waggle 写成。请使用那个版本。</translation>
    </message>
    <message>
        <source>All checkpoints in {} are damaged.</source>
        <translation>{} 中的所有检查点都已损坏。</translation>
    </message>
    <message>
        <source>The saved progress belongs to another version of the model {}.</source>
        <translation>保存的进度属于模型 {} 的另一个版本。</translation>
    </message>
    <message>
        <source>macOS does not tell whether something fills the screen</source>
        <translation>macOS 不告知是否有内容占满屏幕</translation>
    </message>
    <message>
        <source>not installed; with the package libtorrent others are found through the BitTorrent network</source>
        <translation>未安装；有了 libtorrent 软件包，就能通过 BitTorrent 网络找到其他人</translation>
    </message>
    <message>
        <source>not installed; with the package redis a hub of yours can keep its rollouts in Redis</source>
        <translation>未安装；有了 redis 软件包，你的会合点可以把尝试保存在 Redis 中</translation>
    </message>
    <message>
        <source>Windows does not tell when it was last touched</source>
        <translation>Windows 不告知上次操作的时间</translation>
    </message>
    <message>
        <source>a program fills the screen</source>
        <translation>有程序占满屏幕</translation>
    </message>
    <message>
        <source>a game fills the screen</source>
        <translation>有游戏占满屏幕</translation>
    </message>
    <message>
        <source>a presentation is on</source>
        <translation>正在放映演示文稿</translation>
    </message>
    <message>
        <source>nothing fills the screen</source>
        <translation>没有内容占满屏幕</translation>
    </message>
    <message>
        <source>Windows does not tell whether something fills the screen</source>
        <translation>Windows 不告知是否有内容占满屏幕</translation>
    </message>
    <message>
        <source>this desktop does not tell whether something fills the screen</source>
        <translation>这个桌面不告知是否有内容占满屏幕</translation>
    </message>
    <message>
        <source>The settings file {} cannot be read: {}. Mend that line, or delete the file to start with the defaults.</source>
        <translation>无法读取设置文件 {}：{}。请修正那一行，或删除文件以使用默认设置。</translation>
    </message>
    <message>
        <source>Nobody in the BitTorrent network answers ({}).</source>
        <translation>BitTorrent 网络中没有人回应（{}）。</translation>
    </message>
    <message>
        <source>Nobody in the BitTorrent network answers.</source>
        <translation>BitTorrent 网络中没有人回应。</translation>
    </message>
    <message>
        <source>{} cannot be read ({}). Install Waggle again.</source>
        <translation>无法读取 {}（{}）。请重新安装 Waggle。</translation>
    </message>
    <message>
        <source>This computer has only IPv6 addresses on its network, so it finds only others that have one too. If somebody is missing, switch on IPv4.</source>
        <translation>这台电脑在网络中只有 IPv6 地址，所以只能找到同样有 IPv6 地址的其他人。如果少了谁，请打开 IPv4。</translation>
    </message>
    <message>
        <source>This computer was given no address on its network, so nobody can reach it. Connect to the network again, or switch on IPv4.</source>
        <translation>这台电脑在网络中没有得到地址，所以没有人能连到它。请重新连接网络，或打开 IPv4。</translation>
    </message>
    <message>
        <source>This computer is on no local network. Join a Wi-Fi or plug in a cable to find others nearby.</source>
        <translation>这台电脑不在任何局域网中。请连接 Wi-Fi 或插上网线，以寻找附近的其他人。</translation>
    </message>
    <message>
        <source>Nothing can be announced on {} ({}). Connect to the network again to find others nearby.</source>
        <translation>无法在 {} 上发布（{}）。请重新连接网络，以寻找附近的其他人。</translation>
    </message>
    <message>
        <source>What this computer announces on {} is not heard, so others nearby may not find it. Allow Waggle and UDP port 5353 in the firewall, and the local network in the VPN.</source>
        <translation>这台电脑在 {} 上发布的内容没有被听到，附近的其他人可能找不到它。请在防火墙中允许 Waggle 和 UDP 端口 5353，并在 VPN 中允许局域网。</translation>
    </message>
    <message>
        <source>Allow UDP port 5353 in the firewall or sandbox that it runs in.</source>
        <translation>请在防火墙或其运行的沙箱中允许 UDP 端口 5353。</translation>
    </message>
    <message>
        <source>Only a VPN ({}) is connected, and nobody nearby can be found through it. Join a Wi-Fi or plug in a cable, and let the VPN allow the local network.</source>
        <translation>只连接了 VPN（{}），通过它找不到附近的人。请连接 Wi-Fi 或插上网线，并让 VPN 允许局域网。</translation>
    </message>
    <message>
        <source>The network at {} does not carry announcements (no multicast). Join another network to find others nearby.</source>
        <translation>{} 上的网络不传送发布内容（没有多播）。请连接另一个网络，以寻找附近的其他人。</translation>
    </message>
    <message>
        <source>Only networks of containers or virtual machines ({}) are connected. Join a Wi-Fi or plug in a cable to find others nearby.</source>
        <translation>只连接了容器或虚拟机的网络（{}）。请连接 Wi-Fi 或插上网线，以寻找附近的其他人。</translation>
    </message>
    <message>
        <source>Another program keeps UDP port 5353 to itself, so others nearby cannot be found. End it, or let it share (Avahi: disallow-other-stacks=no).</source>
        <translation>另一个程序独占了 UDP 端口 5353，所以找不到附近的其他人。请结束它，或让它共享（Avahi：disallow-other-stacks=no）。</translation>
    </message>
    <message>
        <source>Allow it in System Settings, Privacy &amp; Security, Local Network.</source>
        <translation>请在“系统设置”的“隐私与安全性”“本地网络”中允许。</translation>
    </message>
    <message>
        <source>Allow it in Windows Security, Firewall &amp; network protection.</source>
        <translation>请在“Windows 安全中心”的“防火墙和网络保护”中允许。</translation>
    </message>
    <message>
        <source>Waggle is not allowed to look for others on the local network.</source>
        <translation>Waggle 无权在局域网中寻找其他人。</translation>
    </message>
    <message>
        <source>{} is no address of a node. Write it like 192.168.1.5:40123.</source>
        <translation>{} 不是节点的地址。请写成 192.168.1.5:40123 的样子。</translation>
    </message>
    <message>
        <source>Practising alone.</source>
        <translation>正在独自练习。</translation>
    </message>
    <message>
        <source>Nobody else is here yet.</source>
        <translation>这里还没有其他人。</translation>
    </message>
    <message>
        <source>llama.cpp does not know {}, which the model {} has. Save it as Whole model or as The learnt part only (adapter) instead; on the command line with --to merged or --to peft.</source>
        <translation>llama.cpp 不认识 {}，而模型 {} 含有它。请改为保存为“整个模型”或“仅学到的部分（适配器）”；在命令行中使用 --to merged 或 --to peft。</translation>
    </message>
    <message>
        <source>llama.cpp has no tokenizer like that of the model {}. Save it as Whole model or as The learnt part only (adapter) instead; on the command line with --to merged or --to peft.</source>
        <translation>llama.cpp 没有与模型 {} 相同的分词器。请改为保存为“整个模型”或“仅学到的部分（适配器）”；在命令行中使用 --to merged 或 --to peft。</translation>
    </message>
    <message>
        <source>The proxy of your network asks for a name and a password. Put them into its address, as http://name:password@host:port: in the window under Settings, Meeting others, Proxy, and then start Waggle again; on the command line into HTTPS_PROXY.</source>
        <translation>你网络的代理要求用户名和密码。请将它们写进代理地址，形式为 http://name:password@host:port：在窗口中位于“设置”、“与其他人会合”、“代理”，然后重新启动 Waggle；在命令行中则放入 HTTPS_PROXY。</translation>
    </message>
    <message>
        <source>It now solves about as much at the first try as it did before within eight tries: {} against {}.</source>
        <translation>它现在一次尝试解出的与以前八次尝试解出的差不多：{} 对 {}。</translation>
    </message>
    <message>
        <source>It has not practised yet, so both are the same model.</source>
        <translation>它还没有练习过，所以两者是同一个模型。</translation>
    </message>
    <message>
        <source>It has become worse: {} points, give or take {}.</source>
        <translation>它变差了：{} 个百分点，误差 {}。</translation>
    </message>
    <message>
        <source>Of the gain of {} points, {} are skill: right answers that were wrong before even when the form is forgiven; {} are form.</source>
        <translation>提高的 {} 个百分点中，{} 个是能力：即使不计形式，这些现在答对的题以前也是错的；{} 个是形式。</translation>
    </message>
    <message>
        <source>The gain of {} points, give or take {}, is skill: right answers that were wrong before even when the form is forgiven.</source>
        <translation>提高的 {} 个百分点（误差 {}）是能力：即使不计形式，这些现在答对的题以前也是错的。</translation>
    </message>
    <message>
        <source>The gain of {} points, give or take {}, is form: it knew these answers before, and now writes them as asked.</source>
        <translation>提高的 {} 个百分点（误差 {}）是形式：它以前就知道这些答案，现在按要求的形式写出来了。</translation>
    </message>
    <message>
        <source>It now solves more at the first try than it did before within eight tries: {} against {}.</source>
        <translation>它现在一次尝试就能解出的，比以前八次尝试解出的还多：{} 对 {}。</translation>
    </message>
    <message>
        <source>It does not yet solve as much at the first try as it did before within eight tries: {} against {}.</source>
        <translation>它一次尝试解出的还不如以前八次尝试解出的多：{} 对 {}。</translation>
    </message>
    <message>
        <source>Of all kinds of puzzles at all levels, estimated from what was tried lately. A score is no payment: nothing here earns money.</source>
        <translation>涵盖所有级别的所有谜题，根据最近的尝试估计得出。分数不是报酬：这里赚不到钱。</translation>
    </message>
    <message>
        <source>Others&apos; tries taught your model {} kinds of puzzles at levels that it never solved alone.</source>
        <translation>别人的尝试教会了你的模型 {} 类谜题中它独自从未解出过的级别。</translation>
    </message>
    <message>
        <source>Others&apos; tries taught your model a kind of puzzle at a level that it never solved alone.</source>
        <translation>别人的尝试教会了你的模型一类谜题中它独自从未解出过的级别。</translation>
    </message>
    <message>
        <source>Getting to know your model.</source>
        <translation>正在了解你的模型。</translation>
    </message>
    <message>
        <source>Your model solves {} % of all puzzles.</source>
        <translation>你的模型能解出全部谜题的 {} %。</translation>
    </message>
    <message>
        <source>At first it was {} %.</source>
        <translation>最初是 {} %。</translation>
    </message>
    <message>
        <source>This deck has more than {} bytes. Make two of it.</source>
        <translation>这个题集超过 {} 字节。请把它分成两个。</translation>
    </message>
    <message>
        <source>This deck is not as Waggle writes decks. Make it anew from its table.</source>
        <translation>这个题集不是 Waggle 所写的格式。请用原来的表格重新制作。</translation>
    </message>
    <message>
        <source>This deck has more than {} answers, labels and words of variables. Make two of it.</source>
        <translation>这个题集的答案、选项和变量的词合计超过 {} 个。请把它分成两个。</translation>
    </message>
    <message>
        <source>This deck has no questions. Add at least one.</source>
        <translation>这个题集没有问题。请至少添加一个。</translation>
    </message>
    <message>
        <source>This deck has no level {}. Number its levels 1, 2, 3, …</source>
        <translation>这个题集没有第 {} 级。请把级别编号为 1、2、3……</translation>
    </message>
    <message>
        <source>Row {}: {}</source>
        <translation>第 {} 行：{}</translation>
    </message>
    <message>
        <source>The expressions up to here have more than {} numbers, names and signs. Make two decks.</source>
        <translation>到此为止，表达式中的数字、名称和符号超过 {} 个。请分成两个题集。</translation>
    </message>
    <message>
        <source>This is no deck that this Waggle can read ({}). Ask for it again.</source>
        <translation>这不是这个 Waggle 能读取的题集（{}）。请再要一份。</translation>
    </message>
    <message>
        <source>{} is not among the labels to choose from.</source>
        <translation>{} 不在可选的选项之中。</translation>
    </message>
    <message>
        <source>The expression {} is too long. Use at most {} characters.</source>
        <translation>表达式 {} 太长。请最多使用 {} 个字符。</translation>
    </message>
    <message>
        <source>{} cannot be worked out. Use numbers, the variables, + - * / // % ** ( ), comparisons and {}.</source>
        <translation>{} 无法计算。请使用数字、变量、+ - * / // % ** ( )、比较和 {}。</translation>
    </message>
    <message>
        <source>Each question needs an answer. Say which columns hold the two.</source>
        <translation>每个问题都需要一个答案。请指出这两者各在哪一列。</translation>
    </message>
    <message>
        <source>More than {} rows have variables. Make two decks.</source>
        <translation>超过 {} 行带有变量。请分成两个题集。</translation>
    </message>
    <message>
        <source>It is the same as row {}. Delete one.</source>
        <translation>它与第 {} 行相同。请删除一行。</translation>
    </message>
    <message>
        <source>No values of its variables make a puzzle. Look at its condition and its answer.</source>
        <translation>它的变量没有任何取值能构成谜题。请检查条件和答案。</translation>
    </message>
    <message>
        <source>Several decks are called {}. Name it by its digest: {}.</source>
        <translation>有几个题集都叫 {}。请用它的摘要来指定：{}。</translation>
    </message>
    <message>
        <source>The deck {} is not the one that it was. Add it again.</source>
        <translation>题集 {} 已经不是原来的那个。请重新添加。</translation>
    </message>
    <message>
        <source>The deck {} cannot be read ({}).</source>
        <translation>无法读取题集 {}（{}）。</translation>
    </message>
    <message>
        <source>“{}” has several lines. Write it in one.</source>
        <translation>“{}”有多行。请写成一行。</translation>
    </message>
    <message>
        <source>There is white space around “{}”. Take it away.</source>
        <translation>“{}”周围有空白。请去掉。</translation>
    </message>
    <message>
        <source>There is a hidden letter, {}, in {}. Type that text again.</source>
        <translation>有一个隐藏的字符 {}，出现在 {} 中。请重新输入那段文字。</translation>
    </message>
    <message>
        <source>{} is no level. Write a whole number from 1 to {}.</source>
        <translation>{} 不是级别。请写一个 1 到 {} 的整数。</translation>
    </message>
    <message>
        <source>It has more cells than the first row. Put quotation marks around a text that contains the separator.</source>
        <translation>它的单元格比第一行多。请给含有分隔符的文字加上引号。</translation>
    </message>
    <message>
        <source>The question or the answer is missing. Write both.</source>
        <translation>缺少问题或答案。请两者都写。</translation>
    </message>
    <message>
        <source>It has a condition, but no variables. Write such, too.</source>
        <translation>它有条件，却没有变量。请也写上变量。</translation>
    </message>
    <message>
        <source>It has more than {} accepted answers or {} labels. Leave some out.</source>
        <translation>它的可接受答案超过 {} 个，或选项超过 {} 个。请去掉一些。</translation>
    </message>
    <message>
        <source>Labels cannot stand in a row with variables. Leave one of both out.</source>
        <translation>选项不能与变量在同一行。请去掉其中之一。</translation>
    </message>
    <message>
        <source>{} has more than {} characters. Shorten it.</source>
        <translation>{} 超过 {} 个字符。请缩短。</translation>
    </message>
    <message>
        <source>A quotation mark in row {} is not closed, or stands within a cell. Write it twice where it is meant as one, and quotation marks around that cell.</source>
        <translation>第 {} 行的一个引号没有闭合，或位于单元格中间。确实需要引号时请写两次，并给该单元格加上引号。</translation>
    </message>
    <message>
        <source>This table has more than {}. Make two of it.</source>
        <translation>这个表格超过 {}。请把它分成两个。</translation>
    </message>
    <message>
        <source>This table has more than {} columns. Keep those with questions and answers.</source>
        <translation>这个表格超过 {} 列。请只保留问题和答案的列。</translation>
    </message>
    <message>
        <source>There are no rows in this table. Write at least one.</source>
        <translation>这个表格没有任何行。请至少写一行。</translation>
    </message>
    <message>
        <source>This is neither text nor a workbook. Save the table as CSV or as .xlsx.</source>
        <translation>这既不是文本也不是工作簿。请把表格另存为 CSV 或 .xlsx。</translation>
    </message>
    <message>
        <source>{} bytes</source>
        <translation>{} 字节</translation>
    </message>
    <message>
        <source>This is an old workbook, or one with a password. Save it as .xlsx or as CSV, without a password.</source>
        <translation>这是旧格式或带密码的工作簿。请不带密码另存为 .xlsx 或 CSV。</translation>
    </message>
    <message>
        <source>{} rows</source>
        <translation>{} 行</translation>
    </message>
    <message>
        <source>{} characters</source>
        <translation>{} 个字符</translation>
    </message>
    <message>
        <source>This is no table in JSON ({}). Write a list of objects, or one in each line, with texts, numbers and lists of them.</source>
        <translation>这不是 JSON 表格（{}）。请写成对象的列表，或每行一个对象，内容为文字、数字及其列表。</translation>
    </message>
    <message>
        <source>{} has a brace without its partner, or more than {} blanks. Write {{ for a brace that is meant as one.</source>
        <translation>{} 中有一个花括号不成对，或空位超过 {} 个。确实需要花括号时请写 {{。</translation>
    </message>
    <message>
        <source>The variable {} has no value: its bounds are reversed.</source>
        <translation>变量 {} 没有取值：它的上下限颠倒了。</translation>
    </message>
    <message>
        <source>There is no variable. Write one like a = 2..12.</source>
        <translation>没有变量。请写一个，例如 a = 2..12。</translation>
    </message>
    <message>
        <source>There are more than {} variables. Leave some out.</source>
        <translation>变量超过 {} 个。请去掉一些。</translation>
    </message>
    <message>
        <source>The variable {} has no value. Write the smaller number first, and a step of 1 or more.</source>
        <translation>变量 {} 没有取值。请先写较小的数，步长至少为 1。</translation>
    </message>
    <message>
        <source>The numbers of {} cannot be read. Write them like 2..12 step 2.</source>
        <translation>无法读取 {} 的数字。请写成 2..12 step 2 这样。</translation>
    </message>
    <message>
        <source>The words of {} cannot be used. Write at most {} of them, each with 1 to {} characters, with / in between.</source>
        <translation>{} 的词无法使用。请最多写 {} 个，每个 1 到 {} 个字符，用 / 分开。</translation>
    </message>
    <message>
        <source>“{}” is no variable. Write it like a = 2..12 or name = Anna / Ben, with a name of at most 16 small letters and digits.</source>
        <translation>“{}”不是变量。请写成 a = 2..12 或 name = Anna / Ben 这样，名称最多 16 个小写字母和数字。</translation>
    </message>
    <message>
        <source>There are two variables {}. Give one another name.</source>
        <translation>有两个变量 {}。请给其中一个换个名称。</translation>
    </message>
    <message>
        <source>This is no workbook that Waggle can read. Open it in a spreadsheet program and save it as .xlsx or as CSV.</source>
        <translation>这不是 Waggle 能读取的工作簿。请用电子表格程序打开，另存为 .xlsx 或 CSV。</translation>
    </message>
    <message>
        <source>This workbook holds far more than a deck can. Copy the table alone into a new one, or save it as CSV.</source>
        <translation>这个工作簿的内容远超题集的容量。请只把表格复制到新的工作簿，或另存为 CSV。</translation>
    </message>
    <message>
        <source>This workbook is protected by a password. Save it without one.</source>
        <translation>这个工作簿有密码保护。请不带密码另存。</translation>
    </message>
    <message>
        <source>Too few questions are held out for an exam: {}. Add some.</source>
        <translation>为考试保留的问题太少：{}。请添加一些。</translation>
    </message>
    <message>
        <source>The saved progress was made with the recipe {}, which this Waggle does not know. Use the version that made it.</source>
        <translation>保存的进度是用配方 {} 得来的，这个 Waggle 不认识它。请使用得出它的版本。</translation>
    </message>
    <message>
        <source>{} and a copy of it for llama.cpp take {} of memory, and {} are free for it. Set sampler to auto or torch in {}.</source>
        <translation>{} 及其供 llama.cpp 使用的副本需要 {} 内存，而可供其使用的有 {}。请在 {} 中将 sampler 设为 auto 或 torch。</translation>
    </message>
    <message>
        <source>The model&apos;s scores are no numbers any more: it has learnt something too wild for the precision it runs in.</source>
        <translation>模型的分值已不再是数字：它学到的内容超出了运行精度。</translation>
    </message>
    <message>
        <source>{} is not here any more. What was learnt from it stays.</source>
        <translation>{} 已经不在这里了。从中学到的会保留。</translation>
    </message>
    <message>
        <source>There are {} decks here already. Remove one first.</source>
        <translation>这里已有 {} 个题集。请先删除一个。</translation>
    </message>
    <message>
        <source>There is no column {}. There are: {}.</source>
        <translation>没有列 {}。现有的列：{}。</translation>
    </message>
    <message>
        <source>{} solves {} of {} of these: choose a larger model, or add levels that are easier.</source>
        <translation>{} 解出了其中的 {} / {}：请选择更大的模型，或添加更容易的级别。</translation>
    </message>
    <message>
        <source>“{}” is no language. Write it like en or de-AT.</source>
        <translation>“{}”不是语言代码。请写成 en 或 de-AT 这样的形式。</translation>
    </message>
    <message>
        <source>“{}” is no tolerance. Write it like 0.5.</source>
        <translation>“{}”不是容差。请写成 0.5 这样的形式。</translation>
    </message>
    <message>
        <source>This deck has no name. Give it one.</source>
        <translation>这个题集没有名称。请给它起一个。</translation>
    </message>
    <message>
        <source>Name, author and licence have at most {} letters each.</source>
        <translation>名称、作者和许可各最多 {} 个字符。</translation>
    </message>
    <message>
        <source>Saved: {}</source>
        <translation>已保存：{}</translation>
    </message>
    <message>
        <source>Waggle was opened from its disk image or its download, where it cannot be found once the computer has started again. Drag it into Applications, open it there, and switch this on again.</source>
        <translation>Waggle 是从磁盘映像或下载位置打开的，电脑重新启动后在那里就找不到它了。请把它拖到“应用程序”文件夹，在那里打开，然后再次开启此项。</translation>
    </message>
    <message>
        <source>The graphics card {} is not here, or PyTorch cannot use it. Choose another one under Settings, How much, or set device to auto.</source>
        <translation>显卡 {} 不在，或者 PyTorch 无法使用它。请在“设置”的“用多少”里选择另一个，或把 device 设为 auto。</translation>
    </message>
    <message>
        <source>The memory of this computer, or of its graphics card, ran out while {} was being trained; what it learnt until the last round is safe. {}</source>
        <translation>训练 {} 时，这台电脑或其显卡的内存用完了；到上一轮为止学到的都安全。{}</translation>
    </message>
    <message>
        <source>{0} needs about {1} of the graphics card&apos;s memory to be trained, and {2} are free there. {3} Or choose the processor as device under Settings, How much.</source>
        <translation>训练 {0} 大约需要 {1} 显存，而那里空闲 {2}。{3} 或者在“设置”的“用多少”里选择处理器。</translation>
    </message>
    <message>
        <source>Trying out which precision suits this computer</source>
        <translation>正在试验哪种精度适合这台电脑</translation>
    </message>
    <message>
        <source>no driver tells who uses the graphics card</source>
        <translation>没有驱动程序说明谁在使用显卡</translation>
    </message>
    <message>
        <source>others use {} % of the graphics card</source>
        <translation>其他程序占用显卡的 {} %</translation>
    </message>
    <message>
        <source>how busy the card is will be known in a moment</source>
        <translation>显卡有多忙，稍后即知</translation>
    </message>
    <message>
        <source>{} was never tried; whether it counts right and how fast, tells: waggle bench gpu</source>
        <translation>{} 从未试过；它算得对不对、有多快，可用此命令查看：waggle bench gpu</translation>
    </message>
    <message>
        <source>none that PyTorch can use; the processor trains all models</source>
        <translation>没有 PyTorch 能用的显卡；所有模型都由处理器训练</translation>
    </message>
    <message>
        <source>{}; what waggle bench gpu found is in {}</source>
        <translation>{}；waggle bench gpu 的结果在 {}</translation>
    </message>
    <message>
        <source>No row is left. Take at least one.</source>
        <translation>一行也没有剩下。请至少选一行。</translation>
    </message>
    <message>
        <source>No row can be used. Row {}: {}</source>
        <translation>没有一行可以使用。第 {} 行：{}</translation>
    </message>
    <message>
        <source>A deck is not on this computer any more. Add it again.</source>
        <translation>有一个题集已不在这台电脑上。请重新添加。</translation>
    </message>
    <message>
        <source>Decks are handed on by meeting points, and none is named. Name one.</source>
        <translation>题集由会合点传递，而这里没有写任何会合点。请写一个。</translation>
    </message>
    <message>
        <source>This invite names no meeting point, and decks are fetched from one. Ask whoever invited you for one that does.</source>
        <translation>这份邀请没有写会合点，而题集要从会合点获取。请向邀请你的人要一份写有会合点的邀请。</translation>
    </message>
    <message>
        <source>How long a round of {} takes could not be measured. Close other programs, then try again.</source>
        <translation>无法测出 {} 一轮要多久。请关闭其他程序，然后再试。</translation>
    </message>
    <message>
        <source>No difference that chance could not make: {} points, give or take {}.</source>
        <translation>差别没有超出偶然的范围：{} 个百分点，误差 {}。</translation>
    </message>
    <message>
        <source>It has become better by {} points, give or take {}; whether by skill or by form, this exam cannot tell.</source>
        <translation>它提高了 {} 个百分点，误差 {}；这次考试分不清是能力还是形式。</translation>
    </message>
    <message>
        <source>More puzzles tell more.</source>
        <translation>谜题越多越能说明问题。</translation>
    </message>
    <message>
        <source>Whether it now solves as much at the first try as it did before within eight tries, this exam cannot tell: {} against {}.</source>
        <translation>它现在一次尝试解出的是否与以前八次尝试解出的一样多，这次考试分不清：{} 对 {}。</translation>
    </message>
    <message>
        <source>Of the puzzles that are practised here, estimated from what was tried lately. A score is no payment: nothing here earns money.</source>
        <translation>仅限此处练习的谜题，根据最近的尝试估计得出。分数不是报酬：这里赚不到钱。</translation>
    </message>
    <message>
        <source>Your model solves {} % of what it practises.</source>
        <translation>你的模型能解出所练习谜题的 {} %。</translation>
    </message>
    <message>
        <source>There is no deck {} here. The page Practice (Puzzles) and waggle deck list show all.</source>
        <translation>这里没有题集 {}。“练习”页的“谜题”和 waggle deck list 会列出全部题集。</translation>
    </message>
    <message>
        <source>Waggle cannot do that as it was asked. Shorten what you typed, or start Waggle anew.</source>
        <translation>Waggle 无法按此要求执行。请缩短输入的内容，或重新启动 Waggle。</translation>
    </message>
    <message>
        <source>The model {} cannot be used now: {}. Try again later.</source>
        <translation>模型 {} 目前无法使用：{}。请稍后重试。</translation>
    </message>
    <message>
        <source>Your access token does not open {}. Accept its terms on huggingface.co/{}, then try again.</source>
        <translation>你的访问令牌打不开 {}。请在 huggingface.co/{} 接受其使用条款，然后重试。</translation>
    </message>
    <message>
        <source>a file {} of a sensible size</source>
        <translation>大小合理的文件 {}</translation>
    </message>
    <message>
        <source>the size and hash of its file {}</source>
        <translation>文件 {} 的大小和摘要</translation>
    </message>
    <message>
        <source>the export</source>
        <translation>导出的文件</translation>
    </message>
    <message>
        <source>Memory is short, so {} practises in smaller steps from now on: that takes longer and teaches the same. Close other programs to give it more.</source>
        <translation>内存不足，因此 {} 从现在起以更小的步骤练习：用时更长，学到的相同。关闭其他程序可以给它更多内存。</translation>
    </message>
    <message>
        <source>{0} needs about {1} of memory to be trained, and {2} are free for it. {3}</source>
        <translation>训练 {0} 需要约 {1} 内存，而可供其使用的空闲内存有 {2}。{3}</translation>
    </message>
    <message>
        <source>what came is no answer of a meeting point</source>
        <translation>收到的内容不是会合点的回应</translation>
    </message>
    <message>
        <source>no answer in time</source>
        <translation>未及时回应</translation>
    </message>
    <message>
        <source>it cannot prove who it is</source>
        <translation>它无法证明自己的身份</translation>
    </message>
    <message>
        <source>its answer is an error, {}</source>
        <translation>它的回答是错误 {}</translation>
    </message>
    <message>
        <source>{}{} is not on this computer yet. Download it on the page Models, or with: waggle models get {}</source>
        <translation>{}{} 还不在这台电脑上。请在“模型”页面下载，或用：waggle models get {}</translation>
    </message>
    <message>
        <source>its description breaks a rule ({})</source>
        <translation>它的描述违反了一条规则（{}）</translation>
    </message>
    <message>
        <source>Hugging Face has nothing called {}, or it is private. Look its name up on huggingface.co.</source>
        <translation>Hugging Face 上没有名为 {} 的内容，或它是私有的。请在 huggingface.co 查找它的名称。</translation>
    </message>
    <message>
        <source>it lacks {}</source>
        <translation>缺少 {}</translation>
    </message>
    <message>
        <source>The connection broke off while {} was being downloaded, and the model hub cannot go on where it stopped. Try again: it begins anew.</source>
        <translation>下载 {} 时连接中断，而模型来源无法从中断处继续。请重试：会从头开始。</translation>
    </message>
    <message>
        <source>no connection comes about</source>
        <translation>无法建立连接</translation>
    </message>
    <message>
        <source>no encrypted connection comes about</source>
        <translation>无法建立加密连接</translation>
    </message>
    <message>
        <source>it hung up without an answer</source>
        <translation>对方未回应便断开了连接</translation>
    </message>
    <message>
        <source>{} is a file, where Waggle needs a folder. Move it away, or choose another folder for Waggle.</source>
        <translation>{} 是文件，而 Waggle 在此需要文件夹。请移走它，或为 Waggle 选择另一个文件夹。</translation>
    </message>
    <message>
        <source>llama.cpp is not installed. Set sampler to auto or torch in {}.</source>
        <translation>未安装 llama.cpp。请在 {} 中将 sampler 设为 auto 或 torch。</translation>
    </message>
    <message>
        <source>llama.cpp cannot be used for the model {} on this computer; the log folder says more. Set sampler to auto or torch in {}.</source>
        <translation>在这台电脑上，llama.cpp 不能用于模型 {}；日志文件夹里有更多信息。请在 {} 中将 sampler 设为 auto 或 torch。</translation>
    </message>
    <message>
        <source>a copy of {} for llama.cpp</source>
        <translation>供 llama.cpp 使用的 {} 副本</translation>
    </message>
    <message>
        <source>Waggle runs from its disk image or its download. Drag it into Applications and open it there, so that it can be updated and start with the computer.</source>
        <translation>Waggle 正从磁盘映像或下载文件夹中运行。请将它拖到“应用程序”并从那里打开，这样它才能更新并随计算机启动。</translation>
    </message>
    <message>
        <source>{} gets {} % of its tries right, and solves {} of {} questions within {} tries: there is something to learn.</source>
        <translation>{} 的尝试有 {} % 是对的，解出的问题为 {} / {}（每题 {} 次尝试）：有东西可学。</translation>
    </message>
    <message>
        <source>{} gets {} % of its tries right already: there is little left to learn. Add harder questions.</source>
        <translation>{} 的尝试已有 {} % 是对的：没有多少可学的了。请添加更难的问题。</translation>
    </message>
    <message>
        <source>{}, {}, is in use by another program. Close that one, then try again.</source>
        <translation>{} {} 正被另一个程序使用。请关闭那个程序，然后重试。</translation>
    </message>
    <message>
        <source>What answers at {} is no meeting point. Check the address.</source>
        <translation>在 {} 回应的不是会合点。请检查地址。</translation>
    </message>
    <message>
        <source>None of the {} meeting points can be reached; practising alone and trying again.</source>
        <translation>{} 个会合点都无法连接；正在独自练习并继续尝试。</translation>
    </message>
    <message>
        <source>This computer&apos;s clock is off by more than ten minutes, so others cannot use what it shares. Set the clock.</source>
        <translation>这台电脑的时钟相差超过十分钟，所以其他人无法使用它分享的内容。请校准时钟。</translation>
    </message>
    <message>
        <source>The others here practise the puzzles of another release. Update Waggle to practise with them.</source>
        <translation>这里的其他人练习的是另一个版本的谜题。请更新 Waggle，以便与他们一起练习。</translation>
    </message>
    <message>
        <source>Practising with {} others.</source>
        <translation>正在与 {} 个其他人一起练习。</translation>
    </message>
    <message>
        <source>This computer&apos;s clock is {} minutes fast; set it, or it is soon too far off.</source>
        <translation>这台电脑的时钟快了 {} 分钟；请校准，否则很快会偏差过大。</translation>
    </message>
    <message>
        <source>The meeting point at {} does not hand on what you share; it is left out for a while.</source>
        <translation>会合点 {} 不转发你分享的内容；暂时不使用它。</translation>
    </message>
    <message>
        <source>Something else answers at {}, not the meeting point that the invite names. Nothing was sent there; ask for a new invite.</source>
        <translation>在 {} 回应的是别的东西，不是邀请中所写的会合点。没有向那里发送任何内容；请要一份新的邀请。</translation>
    </message>
    <message>
        <source>What answers at {} is no meeting point. Check the address; practising alone meanwhile.</source>
        <translation>在 {} 回应的不是会合点。请检查地址；期间独自练习。</translation>
    </message>
    <message>
        <source>The meeting point at {} is of another release. Update Waggle; if it is up to date, the meeting point has to be. Practising alone meanwhile.</source>
        <translation>会合点 {} 使用的是另一个版本。请更新 Waggle；如果已是最新版本，则需要更新会合点。期间独自练习。</translation>
    </message>
    <message>
        <source>The meeting point at {} cannot be reached; practising alone and trying again.</source>
        <translation>无法连接会合点 {}；正在独自练习并继续尝试。</translation>
    </message>
    <message>
        <source>Practising with 1 other.</source>
        <translation>正在与 1 个其他人一起练习。</translation>
    </message>
    <message>
        <source>This computer&apos;s clock is {} minutes slow; set it, or it is soon too far off.</source>
        <translation>这台电脑的时钟慢了 {} 分钟；请校准，否则很快会偏差过大。</translation>
    </message>
    <message>
        <source>Practising alone and trying again.</source>
        <translation>正在独自练习并继续尝试。</translation>
    </message>
    <message>
        <source>waggle tasks lists those that there are.</source>
        <translation>waggle tasks 会列出所有任务。</translation>
    </message>
    <message>
        <source>There is no task called {}. {}</source>
        <translation>没有名为 {} 的任务。{}</translation>
    </message>
    <message>
        <source>No kind of puzzle was chosen. Name at least one, or leave it out.</source>
        <translation>没有选择任何谜题种类。请至少写一种，或不写这一项。</translation>
    </message>
    <message>
        <source>Task {} has no level {}. Choose one from 1 to {}.</source>
        <translation>任务 {} 没有级别 {}。请选择 1 到 {}。</translation>
    </message>
    <message>
        <source>The list of puzzles {} cannot be read ({}). Install Waggle again.</source>
        <translation>无法读取谜题列表 {}（{}）。请重新安装 Waggle。</translation>
    </message>
    <message>
        <source>No task was chosen. Name at least one, or leave the list out.</source>
        <translation>没有选择任务。请至少指定一个，或去掉列表。</translation>
    </message>
    <message>
        <source>no network</source>
        <translation>无网络</translation>
    </message>
    <message>
        <source>no access to files</source>
        <translation>不能访问文件</translation>
    </message>
    <message>
        <source>cannot start programs</source>
        <translation>不能启动程序</translation>
    </message>
    <message>
        <source>cannot multiply</source>
        <translation>不能自我复制</translation>
    </message>
    <message>
        <source>cannot open anything new</source>
        <translation>不能打开任何新内容</translation>
    </message>
    <message>
        <source>cannot write files</source>
        <translation>不能写文件</translation>
    </message>
    <message>
        <source>memory limit {} GB</source>
        <translation>内存上限 {} GB</translation>
    </message>
    <message>
        <source>processor time limit {} minutes</source>
        <translation>处理器时间上限 {} 分钟</translation>
    </message>
    <message>
        <source>leaves no memory dumps</source>
        <translation>不留下内存转储</translation>
    </message>
    <message>
        <source>ends with Waggle</source>
        <translation>随 Waggle 结束</translation>
    </message>
    <message>
        <source>{} ({})</source>
        <translation>{}（{}）</translation>
    </message>
    <message>
        <source>not available on this system</source>
        <translation>此系统上不可用</translation>
    </message>
    <message>
        <source>{} of {} answers can never be right as {}. Choose another way to compare.</source>
        <translation>有 {} / {} 个答案作为 {} 永远不可能正确。请选择别的比较方式。</translation>
    </message>
    <message>
        <source>The question “{}” stands there with different answers. Keep one of them, or accept all in one row.</source>
        <translation>问题“{}”出现了不同的答案。请保留其中一个，或在同一行里接受全部答案。</translation>
    </message>
    <message>
        <source>In {} of {} questions the answer stands in the question. If that is not meant, write them differently.</source>
        <translation>有 {} / {} 个问题，答案就在问题里。如果不是有意的，请换一种写法。</translation>
    </message>
    <message>
        <source>At level {}, an answer that a template makes can never be right as {}. Choose another way to compare, or a condition.</source>
        <translation>在第 {} 级，模板生成的一个答案作为 {} 永远不可能正确。请选择别的比较方式，或加上条件。</translation>
    </message>
    <message>
        <source>At level {}, a template hardly ever finds values that it may ask for. Ease its condition.</source>
        <translation>在第 {} 级，一个模板几乎找不到可以提问的取值。请放宽它的条件。</translation>
    </message>
    <message>
        <source>At level {}, always answering “{}” is right in {}. A model will learn that: add questions with other answers.</source>
        <translation>在第 {} 级，总是回答“{}”有 {} 是对的。模型会学会这一点：请添加其他答案的问题。</translation>
    </message>
    <message>
        <source>Level {} has only {} different questions: too few to tell learning from remembering. Add more.</source>
        <translation>第 {} 级只有 {} 个不同的问题：太少，分不清是学会还是记住。请添加更多。</translation>
    </message>
    <message>
        <source>At level {}, repeating the question is right: “{}”.</source>
        <translation>在第 {} 级，重复问题就算对：“{}”。</translation>
    </message>
    <message>
        <source>The judge of answers gets no temporary folder ({}). Free some space on the disk and start again.</source>
        <translation>答案评判程序得不到临时文件夹（{}）。请在磁盘上腾出一些空间，然后重新开始。</translation>
    </message>
    <message>
        <source>The judge of answers cannot be started ({}). Close other programs, or restart the computer.</source>
        <translation>无法启动答案评判程序（{}）。请关闭其他程序，或重启电脑。</translation>
    </message>
    <message>
        <source>Task {} has no puzzle at level {} with seed {}. Choose another seed.</source>
        <translation>任务 {} 在级别 {} 没有种子为 {} 的谜题。请选择其他种子。</translation>
    </message>
    <message>
        <source>Waggle&apos;s puzzles need reasoning-gym {}, but here is {}. Install it with: pip install &quot;reasoning-gym=={}&quot;</source>
        <translation>Waggle 的谜题需要 reasoning-gym {}，而这里是 {}。请安装：pip install &quot;reasoning-gym=={}&quot;</translation>
    </message>
    <message>
        <source>The judge of answers cannot start ({}). Install Waggle again.</source>
        <translation>答案评判程序无法开始（{}）。请重新安装 Waggle。</translation>
    </message>
    <message>
        <source>Puzzle {} of seed {} of task {}, level {}, cannot be made. Choose another task, and report this.</source>
        <translation>无法生成谜题 {}（种子 {}，任务 {}，级别 {}）。请选择其他任务，并报告此问题。</translation>
    </message>
    <message>
        <source>The judge of answers was closed. Start Waggle again.</source>
        <translation>答案评判程序已关闭。请重新启动 Waggle。</translation>
    </message>
    <message>
        <source>The judge of answers ended {} times without a word. Restart the computer; if that does not help, install Waggle again.</source>
        <translation>答案评判程序无声地结束了 {} 次。请重启电脑；如果没有帮助，请重新安装 Waggle。</translation>
    </message>
    <message>
        <source>the update</source>
        <translation>更新</translation>
    </message>
    <message>
        <source>{} is no longer offered. Look for updates again.</source>
        <translation>{} 已不再提供。请重新查找更新。</translation>
    </message>
    <message>
        <source>The update source has not been renewed in time, so nobody vouches for it now; or the date of this computer is wrong. Nothing was changed; look again later.</source>
        <translation>更新来源没有及时续期，现在没有人为它担保；或者这台电脑的日期不对。没有更改任何内容；请稍后再看。</translation>
    </message>
    <message>
        <source>What came is not what the makers of Waggle signed, and was thrown away. Nothing was changed; look again later.</source>
        <translation>收到的不是 Waggle 作者签名的内容，已被丢弃。没有更改任何内容；请稍后再看。</translation>
    </message>
    <message>
        <source>What the update source says is not signed by the makers of Waggle, or is older than what it said before. Nothing was changed; look again later.</source>
        <translation>更新来源所说的没有 Waggle 作者的签名，或比之前所说的更旧。没有更改任何内容；请稍后再看。</translation>
    </message>
    <message>
        <source>The update source cannot be reached. Nothing was changed; look again later.</source>
        <translation>无法连接更新来源。没有更改任何内容；请稍后再看。</translation>
    </message>
    <message>
        <source>What this Waggle knows about its update source is damaged. Install the newest release anew; everything that you have here stays.</source>
        <translation>这个 Waggle 所知的更新来源信息已损坏。请重新安装最新版本；你在这里的一切都会保留。</translation>
    </message>
    <message>
        <source>{} is in the way: Waggle needs that name while it updates itself. Rename it, then try again.</source>
        <translation>{} 挡住了：Waggle 更新时需要使用这个名称。请先将它改名，然后再试一次。</translation>
    </message>
    <message>
        <source>The update is not packed as Waggle is. Nothing was changed; tell its makers.</source>
        <translation>更新的打包方式与 Waggle 不符。没有更改任何内容；请告诉它的作者。</translation>
    </message>
    <message>
        <source>Waggle {} could not be tried out just now. Try again later.</source>
        <translation>现在无法试运行 Waggle {}。请稍后再试。</translation>
    </message>
    <message>
        <source>Waggle {} does not run on this computer, so it was thrown away. The one that you have stays.</source>
        <translation>Waggle {} 无法在这台电脑上运行，已被丢弃。你现有的会保留。</translation>
    </message>
    <message>
        <source>The update was not unpacked: {}. Nothing was changed; tell the makers of Waggle.</source>
        <translation>更新没有解包：{}。没有更改任何内容；请告诉 Waggle 的作者。</translation>
    </message>
    <message>
        <source>it holds a name that leads out</source>
        <translation>它含有指向外部的名称</translation>
    </message>
    <message>
        <source>it is larger than a Waggle may be</source>
        <translation>它大于 Waggle 允许的大小</translation>
    </message>
    <message>
        <source>it names {} twice</source>
        <translation>它两次写到 {}</translation>
    </message>
    <message>
        <source>it holds a name that is none</source>
        <translation>它含有无效的名称</translation>
    </message>
    <message>
        <source>it is damaged</source>
        <translation>它已损坏</translation>
    </message>
    <message>
        <source>{} is neither file nor folder</source>
        <translation>{} 既不是文件也不是文件夹</translation>
    </message>
    <message>
        <source>{} is no folder</source>
        <translation>{} 不是文件夹</translation>
    </message>
    <message>
        <source>the link {} leads out</source>
        <translation>链接 {} 指向外部</translation>
    </message>
    <message>
        <source>Waggle does not update itself here. Update it as you installed it.</source>
        <translation>Waggle 在这里不会自行更新。请按安装它的方式更新。</translation>
    </message>
    <message>
        <source>Waggle {} is the newest. There is nothing to do.</source>
        <translation>Waggle {} 已是最新。无需任何操作。</translation>
    </message>
    <message>
        <source>The identity of this node, {}, is damaged. Put a backup in its place, or delete it to start as somebody new.</source>
        <translation>这个节点的身份 {} 已损坏。请用备份替换它，或删除它以新的身份开始。</translation>
    </message>
    <message>
        <source>This invite was cut or mistyped. Copy all of it, from waggle:// to the end.</source>
        <translation>这份邀请被截断或抄错了。请完整复制，从 waggle:// 到结尾。</translation>
    </message>
    <message>
        <source>The invite is too long for a link. Name fewer meeting points.</source>
        <translation>邀请太长，无法做成链接。请少写几个会合点。</translation>
    </message>
    <message>
        <source>This is no invite. One begins with {}; copy all of it.</source>
        <translation>这不是邀请。邀请以 {} 开头；请完整复制。</translation>
    </message>
    <message>
        <source>This makes no invite ({}). Choose another name or address.</source>
        <translation>这做不成邀请（{}）。请选择其他名称或地址。</translation>
    </message>
    <message>
        <source>This invite cannot be read by this release. Update Waggle, or ask for a new one.</source>
        <translation>这个版本无法读取这份邀请。请更新 Waggle，或要一份新的。</translation>
    </message>
    <message>
        <source>{} is no name of a swarm. Use up to 40 small letters, digits and hyphens, such as meadow, or an invite that begins with {}.</source>
        <translation>{} 不是群的名称。请用最多 40 个小写字母、数字和连字符，例如 meadow，或以 {} 开头的邀请。</translation>
    </message>
    <message>
        <source>Something did not work.</source>
        <translation>有些地方没有成功。</translation>
    </message>
    <message>
        <source>That cannot be done this way.</source>
        <translation>这样做不行。</translation>
    </message>
    <message>
        <source>The deck cannot be used like this.</source>
        <translation>这个题集这样无法使用。</translation>
    </message>
    <message>
        <source>There is no such model.</source>
        <translation>没有这样的模型。</translation>
    </message>
    <message>
        <source>There is no such puzzle.</source>
        <translation>没有这样的谜题。</translation>
    </message>
    <message>
        <source>The settings cannot be read.</source>
        <translation>无法读取设置。</translation>
    </message>
    <message>
        <source>A file or folder cannot be used.</source>
        <translation>无法使用某个文件或文件夹。</translation>
    </message>
    <message>
        <source>Waggle is at work on that right now.</source>
        <translation>Waggle 正在处理它。</translation>
    </message>
    <message>
        <source>The disk is full.</source>
        <translation>磁盘已满。</translation>
    </message>
    <message>
        <source>The model cannot be used as it is.</source>
        <translation>这个模型现在无法使用。</translation>
    </message>
    <message>
        <source>It took too long; try again when less is going on.</source>
        <translation>时间太长了；请在不那么忙时重试。</translation>
    </message>
    <message>
        <source>There is too little memory.</source>
        <translation>内存不足。</translation>
    </message>
    <message>
        <source>What was learnt cannot be read.</source>
        <translation>无法读取学到的内容。</translation>
    </message>
    <message>
        <source>The puzzles installed here are other ones.</source>
        <translation>这里安装的谜题是另一些。</translation>
    </message>
    <message>
        <source>Answers cannot be checked.</source>
        <translation>无法检查答案。</translation>
    </message>
    <message>
        <source>A puzzle cannot be made.</source>
        <translation>有一道谜题无法生成。</translation>
    </message>
    <message>
        <source>Something was sent that breaks the rules.</source>
        <translation>收到了违反规则的内容。</translation>
    </message>
    <message>
        <source>An experiment cannot go on.</source>
        <translation>实验无法继续。</translation>
    </message>
    <message>
        <source>The newer release cannot be had.</source>
        <translation>无法获得更新的版本。</translation>
    </message>
    <message>
        <source>The swarm or the network does not play along.</source>
        <translation>群或网络没有正常回应。</translation>
    </message>
    <message>
        <source>The list of models {} is empty. Install Waggle again.</source>
        <translation>模型列表 {} 是空的。请重新安装 Waggle。</translation>
    </message>
    <message>
        <source>What {} sent is not the deck of this swarm. Name another meeting point.</source>
        <translation>{} 发来的不是这个群的题集。请换一个会合点。</translation>
    </message>
    <message>
        <source>The meeting point {} is of another release, which keeps no decks. Ask whoever runs it to update Waggle, or name another one.</source>
        <translation>会合点 {} 使用的是另一个版本，不保存题集。请让它的管理者更新 Waggle，或换一个会合点。</translation>
    </message>
    <message>
        <source>The meeting point {} would not serve ({}). Ask whoever runs it, or name another one.</source>
        <translation>会合点 {} 拒绝了请求（{}）。请询问它的管理者，或换一个会合点。</translation>
    </message>
    <message>
        <source>Nobody keeps a deck of this swarm any more. Ask whoever invited you to start Waggle once, then try again.</source>
        <translation>这个群的一个题集已经没有人保存了。请让邀请你的人启动一次 Waggle，然后再试。</translation>
    </message>
    <message>
        <source>The meeting point {} does not have this deck.</source>
        <translation>会合点 {} 没有这个题集。</translation>
    </message>
    <message>
        <source>The meeting point {} keeps no more decks for this swarm. Use fewer or smaller ones, or another meeting point.</source>
        <translation>会合点 {} 不再为这个群保存更多题集。请减少题集或用更小的，或换一个会合点。</translation>
    </message>
    <message>
        <source>The meeting point {} takes no deck of this size. Whoever runs it has to let requests of {} MB through.</source>
        <translation>会合点 {} 不接受这么大的题集。它的管理者需要允许 {} MB 的请求通过。</translation>
    </message>
    <message>
        <source>The meeting point {} is busy. Try again in some minutes.</source>
        <translation>会合点 {} 正忙。请过几分钟再试。</translation>
    </message>
    <message>
        <source>The meeting point {} does not answer. Check its address and this computer&apos;s connection, or try again later.</source>
        <translation>会合点 {} 没有回应。请检查它的地址和这台电脑的连接，或稍后再试。</translation>
    </message>
    <message>
        <source>An invite names at most {} decks. Leave some out.</source>
        <translation>一份邀请最多写 {} 个题集。请去掉一些。</translation>
    </message>
</context>
<context>
    <name>DataCard</name>
    <message>
        <source>What is kept here</source>
        <translation>这里保存着什么</translation>
    </message>
    <message>
        <source>Looking…</source>
        <translation>正在查找…</translation>
    </message>
    <message>
        <source>Open the folder</source>
        <translation>打开文件夹</translation>
    </message>
</context>
<context>
    <name>DaysCard</name>
    <message>
        <source>Practice per day</source>
        <translation>每天的练习</translation>
    </message>
    <message>
        <source>Month</source>
        <translation>月</translation>
    </message>
    <message>
        <source>3 months</source>
        <translation>3 个月</translation>
    </message>
    <message>
        <source>Year</source>
        <translation>年</translation>
    </message>
    <message>
        <source>Show: {}</source>
        <translation>显示：{}</translation>
    </message>
</context>
<context>
    <name>DeckCard</name>
    <message>
        <source>Practise {}</source>
        <translation>练习 {}</translation>
    </message>
    <message>
        <source>Practise only this</source>
        <translation>只练习这个</translation>
    </message>
    <message>
        <source>Share with others…</source>
        <translation>与他人分享…</translation>
    </message>
    <message>
        <source>Look at ten questions</source>
        <translation>看十道题</translation>
    </message>
    <message>
        <source>Remove…</source>
        <translation>移除…</translation>
    </message>
    <message>
        <source>Leave it</source>
        <translation>保持不变</translation>
    </message>
    <message>
        <source>Save to a file…</source>
        <translation>保存到文件…</translation>
    </message>
    <message>
        <source>Hide the questions</source>
        <translation>隐藏题目</translation>
    </message>
    <message>
        <source>Remove “{}” from this computer? What was learnt from it stays.</source>
        <translation>要从这台电脑上移除“{}”吗？从中学到的会保留。</translation>
    </message>
    <message>
        <source>Yes, remove it</source>
        <translation>是，移除</translation>
    </message>
</context>
<context>
    <name>DeckFields</name>
    <message>
        <source>Author</source>
        <translation>作者</translation>
    </message>
    <message>
        <source>Name of the deck</source>
        <translation>题集的名称</translation>
    </message>
    <message>
        <source>Language, such as en or de-AT</source>
        <translation>语言，例如 en 或 de-AT</translation>
    </message>
    <message>
        <source>Licence, such as CC0-1.0</source>
        <translation>许可证，例如 CC0-1.0</translation>
    </message>
    <message>
        <source>How answers are compared</source>
        <translation>答案的比较方式</translation>
    </message>
    <message>
        <source>How far off a decimal may be</source>
        <translation>小数允许的误差</translation>
    </message>
    <message>
        <source>The first row names the columns</source>
        <translation>第一行是各列的名称</translation>
    </message>
    <message>
        <source>none</source>
        <translation>无</translation>
    </message>
    <message>
        <source>Column {}</source>
        <translation>第 {} 列</translation>
    </message>
    <message>
        <source>Which column is which</source>
        <translation>各列的内容</translation>
    </message>
    <message>
        <source>About the deck</source>
        <translation>关于这个题集</translation>
    </message>
</context>
<context>
    <name>DeckForm</name>
    <message>
        <source>Puzzles of your own</source>
        <translation>自己的谜题</translation>
    </message>
    <message>
        <source>Choose another file…</source>
        <translation>选择其他文件…</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
    <message>
        <source>Look again</source>
        <translation>再检查一次</translation>
    </message>
    <message>
        <source>Worth knowing</source>
        <translation>值得注意</translation>
    </message>
    <message>
        <source>Keep</source>
        <translation>保留</translation>
    </message>
    <message>
        <source>Discard</source>
        <translation>放弃</translation>
    </message>
    <message>
        <source>Reading…</source>
        <translation>正在读取…</translation>
    </message>
    <message>
        <source>Looking at it again…</source>
        <translation>正在重新查看…</translation>
    </message>
    <message>
        <source>Keeping it…</source>
        <translation>正在保留…</translation>
    </message>
    <message>
        <source>That was ended; nothing was kept.</source>
        <translation>已结束；没有保留任何内容。</translation>
    </message>
    <message>
        <source>The file is being read</source>
        <translation>正在读取文件</translation>
    </message>
</context>
<context>
    <name>DeckRowsModel</name>
    <message>
        <source>Row</source>
        <translation>行</translation>
    </message>
    <message>
        <source>What is wrong</source>
        <translation>问题</translation>
    </message>
</context>
<context>
    <name>DeckRowsTable</name>
    <message>
        <source>Rows of the table</source>
        <translation>表格的行</translation>
    </message>
</context>
<context>
    <name>DeckTrialBox</name>
    <message>
        <source>How does my model do?</source>
        <translation>我的模型做得怎么样？</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
    <message>
        <source>How far the trial is</source>
        <translation>试做的进度</translation>
    </message>
    <message>
        <source>Waking the model up…</source>
        <translation>正在唤醒模型…</translation>
    </message>
    <message>
        <source>Stopping…</source>
        <translation>正在停止…</translation>
    </message>
    <message>
        <source>Trying questions: {} to go…</source>
        <translation>正在尝试题目：还剩 {} 道…</translation>
    </message>
    <message>
        <source>The trial was ended.</source>
        <translation>试做已结束。</translation>
    </message>
</context>
<context>
    <name>Dots</name>
    <message>
        <source>Step {step} of {count}</source>
        <translation>第 {step} 步，共 {count} 步</translation>
    </message>
</context>
<context>
    <name>EnergyCard</name>
    <message>
        <source>Electricity</source>
        <translation>用电</translation>
    </message>
</context>
<context>
    <name>ExamChart</name>
    <message>
        <source>before</source>
        <translation>之前</translation>
    </message>
    <message>
        <source>now</source>
        <translation>现在</translation>
    </message>
</context>
<context>
    <name>ExamView</name>
    <message>
        <source>Take the exam</source>
        <translation>参加考试</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
    <message>
        <source>What has {} learnt?</source>
        <translation>{} 学到了什么？</translation>
    </message>
    <message>
        <source>Stopping…</source>
        <translation>正在停止…</translation>
    </message>
    <message>
        <source>The exam is over. Choose this model to see it.</source>
        <translation>考试已结束。选择这个模型即可查看。</translation>
    </message>
    <message>
        <source>The exam was ended; nothing of it is kept.</source>
        <translation>考试已结束；不会保留任何结果。</translation>
    </message>
    <message>
        <source>Getting ready…</source>
        <translation>正在准备…</translation>
    </message>
    <message>
        <source>Kind by kind</source>
        <translation>逐类</translation>
    </message>
    <message>
        <source>A single kind proves little.</source>
        <translation>单独一类说明不了多少。</translation>
    </message>
    <message>
        <source>What came of the last exam will stand here: what practice has brought, kind by kind, and how sure that is.</source>
        <translation>这里会显示最近一次考试的结果：逐类显示练习带来了什么，以及有多确定。</translation>
    </message>
    <message>
        <source>How many puzzles</source>
        <translation>多少道谜题</translation>
    </message>
    <message>
        <source>Quick: {} puzzles</source>
        <translation>快速：{} 道谜题</translation>
    </message>
    <message>
        <source>Short: {} puzzles</source>
        <translation>简短：{} 道谜题</translation>
    </message>
    <message>
        <source>Usual: {} puzzles</source>
        <translation>通常：{} 道谜题</translation>
    </message>
    <message>
        <source>Thorough: {} puzzles</source>
        <translation>彻底：{} 道谜题</translation>
    </message>
    <message>
        <source>How far the exam is</source>
        <translation>考试的进度</translation>
    </message>
    <message>
        <source>The exam asks puzzles of what is practised, at every level, that were kept out of practice: the same for everyone, and of a small deck all there are. Each is asked eight times: first of the model as it is now, then as it was before any practice. Practice may go on meanwhile.</source>
        <translation>考试会从正在练习的内容中，在各个级别出未用于练习的谜题：对所有人都一样；题集较小时，全部都考。每道考八次：先考现在的模型，再考练习之前的模型。期间可以继续练习。</translation>
    </message>
    <message>
        <source>Exam</source>
        <translation>考试</translation>
    </message>
</context>
<context>
    <name>ExportCard</name>
    <message>
        <source>Save as table…</source>
        <translation>保存为表格…</translation>
    </message>
    <message>
        <source>Make a picture…</source>
        <translation>生成图片…</translation>
    </message>
    <message>
        <source>Take it along: all days as a table, or the key figures as a picture.</source>
        <translation>带走它：所有日子存为表格，或把关键数字做成图片。</translation>
    </message>
    <message>
        <source>Table (*.csv)</source>
        <translation>表格 (*.csv)</translation>
    </message>
    <message>
        <source>Save as table</source>
        <translation>保存为表格</translation>
    </message>
    <message>
        <source>Key figures and your made-up name, nothing else. It leaves this computer only if you send it.</source>
        <translation>只有关键数字和你的虚构名字。只有你发送时它才会离开这台电脑。</translation>
    </message>
</context>
<context>
    <name>Figures</name>
    <message>
        <source>{} GB</source>
        <translation>{} GB</translation>
    </message>
    <message>
        <source>{} MB</source>
        <translation>{} MB</translation>
    </message>
    <message>
        <source>{} kB</source>
        <translation>{} kB</translation>
    </message>
    <message>
        <source>{} hundred million</source>
        <comment>said in Chinese only</comment>
        <translation>{} 亿</translation>
    </message>
    <message>
        <source>{} ten thousand</source>
        <comment>said in Chinese only</comment>
        <translation>{} 万</translation>
    </message>
    <message>
        <source>1 billion</source>
        <translation>10 亿</translation>
    </message>
    <message>
        <source>{} billion</source>
        <translation>{} 十亿</translation>
    </message>
    <message>
        <source>{} million</source>
        <translation>{} 百万</translation>
    </message>
    <message>
        <source>1 million</source>
        <translation>1 百万</translation>
    </message>
</context>
<context>
    <name>Findings</name>
    <message>
        <source>works</source>
        <translation>正常</translation>
    </message>
    <message>
        <source>does not work, and is not needed</source>
        <translation>不可用，也不需要</translation>
    </message>
    <message>
        <source>needs you</source>
        <translation>需要你处理</translation>
    </message>
    <message>
        <source>This computer</source>
        <translation>这台电脑</translation>
    </message>
    <message>
        <source>Memory</source>
        <translation>内存</translation>
    </message>
    <message>
        <source>Disk</source>
        <translation>磁盘</translation>
    </message>
    <message>
        <source>Settings</source>
        <translation>设置</translation>
    </message>
    <message>
        <source>Models</source>
        <translation>模型</translation>
    </message>
    <message>
        <source>This node&apos;s identity</source>
        <translation>这个节点的身份</translation>
    </message>
    <message>
        <source>The record of rounds</source>
        <translation>轮次记录</translation>
    </message>
    <message>
        <source>Trying puzzles</source>
        <translation>尝试谜题</translation>
    </message>
    <message>
        <source>Graphics card</source>
        <translation>显卡</translation>
    </message>
    <message>
        <source>Checking answers safely</source>
        <translation>安全地检查答案</translation>
    </message>
    <message>
        <source>Others on this network</source>
        <translation>此网络中的其他人</translation>
    </message>
    <message>
        <source>Being asked by others</source>
        <translation>被其他人询问</translation>
    </message>
    <message>
        <source>Meeting points</source>
        <translation>会合点</translation>
    </message>
    <message>
        <source>Swarm</source>
        <translation>群</translation>
    </message>
    <message>
        <source>Meeting point</source>
        <translation>会合点</translation>
    </message>
    <message>
        <source>Others on the internet</source>
        <translation>互联网上的其他人</translation>
    </message>
    <message>
        <source>Battery</source>
        <translation>电池</translation>
    </message>
    <message>
        <source>Whether you use the computer</source>
        <translation>你是否在用电脑</translation>
    </message>
    <message>
        <source>How busy other programs are</source>
        <translation>其他程序有多忙</translation>
    </message>
    <message>
        <source>How busy the graphics card is</source>
        <translation>显卡有多忙</translation>
    </message>
    <message>
        <source>Heat</source>
        <translation>温度</translation>
    </message>
    <message>
        <source>Full screen</source>
        <translation>全屏</translation>
    </message>
    <message>
        <source>Programs that run</source>
        <translation>正在运行的程序</translation>
    </message>
    <message>
        <source>This computer can practise.</source>
        <translation>这台电脑可以练习。</translation>
    </message>
    <message>
        <source>One thing keeps this computer from practising.</source>
        <translation>有一件事使这台电脑无法练习。</translation>
    </message>
    <message>
        <source>{count} things keep this computer from practising.</source>
        <translation>有 {count} 件事使这台电脑无法练习。</translation>
    </message>
</context>
<context>
    <name>FindingsCard</name>
    <message>
        <source>What works here</source>
        <translation>这里哪些正常</translation>
    </message>
    <message>
        <source>Not looked yet.</source>
        <translation>还没有检查。</translation>
    </message>
    <message>
        <source>Look again</source>
        <translation>再检查一次</translation>
    </message>
    <message>
        <source>Looking at everything; this takes a few seconds…</source>
        <translation>正在检查一切；需要几秒钟…</translation>
    </message>
</context>
<context>
    <name>FoundCard</name>
    <message>
        <source>Start a swarm of your own</source>
        <translation>创建自己的群</translation>
    </message>
    <message>
        <source>Practise what is built in instead</source>
        <translation>改为练习内置的</translation>
    </message>
    <message>
        <source>Its name</source>
        <translation>它的名称</translation>
    </message>
    <message>
        <source>our-class</source>
        <translation>我们班</translation>
    </message>
    <message>
        <source>Private: by invite only</source>
        <translation>私密：仅限受邀者</translation>
    </message>
    <message>
        <source>Open to anybody</source>
        <translation>对所有人开放</translation>
    </message>
    <message>
        <source>Meeting points, if there are any; a space between them</source>
        <translation>会合点（如果有），用空格分隔</translation>
    </message>
    <message>
        <source>https://hub.example.org</source>
        <translation>https://hub.example.org</translation>
    </message>
    <message>
        <source>Puzzles of your own are handed on by a meeting point. Name one here, or open one on this computer: see “Host a meeting point” on this page.</source>
        <translation>自己的谜题由会合点传递。请在这里写一个，或在这台电脑上打开一个：见本页的“提供一个会合点”。</translation>
    </message>
    <message>
        <source>Join it now, too</source>
        <translation>自己也马上加入</translation>
    </message>
    <message>
        <source>Make the invite</source>
        <translation>生成邀请</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
    <message>
        <source>Give it a name first, such as our-class.</source>
        <translation>请先给它一个名称，例如 our-class。</translation>
    </message>
    <message>
        <source>An invite names up to {} meeting points.</source>
        <translation>一份邀请最多写 {} 个会合点。</translation>
    </message>
    <message>
        <source>No meeting point has so long an address. Look what was pasted there.</source>
        <translation>没有哪个会合点的地址会这么长。请看看那里粘贴了什么。</translation>
    </message>
    <message>
        <source>Name a meeting point first.</source>
        <translation>请先写一个会合点。</translation>
    </message>
    <message>
        <source>Leaving the puzzles at meeting point {number} of {all}…</source>
        <translation>正在把谜题放到会合点（第 {number} 个，共 {all} 个）…</translation>
    </message>
    <message>
        <source>That was ended; there is no invite.</source>
        <translation>已中止；没有生成邀请。</translation>
    </message>
    <message>
        <source>It practises “{}” and nothing else.</source>
        <translation>它只练习“{}”，别的都不练。</translation>
    </message>
    <message>
        <source>How far the puzzles are on their way</source>
        <translation>谜题传送的进度</translation>
    </message>
</context>
<context>
    <name>HelperClient</name>
    <message>
        <source>The helper of this window gave an answer that makes no sense. Try again.</source>
        <translation>此窗口的助手给出了无法理解的回答。请再试一次。</translation>
    </message>
    <message>
        <source>The helper of this window ended before it was done. Try again.</source>
        <translation>此窗口的助手在完成之前就结束了。请再试一次。</translation>
    </message>
</context>
<context>
    <name>Home</name>
    <message>
        <source>Train a small language model, together.</source>
        <translation>一起训练一个小型语言模型。</translation>
    </message>
    <message>
        <source>Getting {} ready.</source>
        <translation>正在准备 {}。</translation>
    </message>
    <message>
        <source>Choose a model and join. It practises puzzles, and you watch how it does.</source>
        <translation>选择一个模型并加入。它练习谜题，你看它表现如何。</translation>
    </message>
    <message>
        <source>What it learnt here before comes back with it.</source>
        <translation>它之前在这里学到的会一起回来。</translation>
    </message>
    <message>
        <source>Last practised: {}.</source>
        <translation>上次练习：{}。</translation>
    </message>
    <message>
        <source>Practice was interrupted too often.</source>
        <translation>练习中断得太频繁了。</translation>
    </message>
    <message>
        <source>Saving…</source>
        <translation>正在保存…</translation>
    </message>
    <message>
        <source>Not practising.</source>
        <translation>没有在练习。</translation>
    </message>
    <message>
        <source>Stopping…</source>
        <translation>正在停止…</translation>
    </message>
    <message>
        <source>Going on…</source>
        <translation>正在继续…</translation>
    </message>
    <message>
        <source>Then it will pause.</source>
        <translation>然后会暂停。</translation>
    </message>
    <message>
        <source>Then it will finish.</source>
        <translation>然后会结束。</translation>
    </message>
    <message>
        <source>Practising: round {}.</source>
        <translation>正在练习：第 {} 轮。</translation>
    </message>
    <message>
        <source>Looking for others…</source>
        <translation>正在寻找其他人…</translation>
    </message>
    <message>
        <source>The swarm does not answer; practising alone.</source>
        <translation>群没有回应；正在独自练习。</translation>
    </message>
    <message>
        <source>Nobody else is here yet; practising alone.</source>
        <translation>还没有别人；正在独自练习。</translation>
    </message>
    <message>
        <source>1 other is here.</source>
        <translation>有 1 位伙伴在。</translation>
    </message>
    <message>
        <source>{} others are here.</source>
        <translation>有 {} 位伙伴在。</translation>
    </message>
    <message>
        <source>1 has learnt from your model&apos;s tries so far.</source>
        <translation>至今有 1 位从你的模型的尝试中学到了东西。</translation>
    </message>
    <message>
        <source>{} have learnt from your model&apos;s tries so far.</source>
        <translation>至今有 {} 位从你的模型的尝试中学到了东西。</translation>
    </message>
    <message>
        <source>Practice stopped by itself several times in a row: {}. Everything up to the last finished round is safe.</source>
        <translation>练习连续多次自行停止：{}。到最后完成的一轮为止的一切都是安全的。</translation>
    </message>
    <message>
        <source>Practice stopped before its round was finished: {}. Everything up to the last finished round is safe.</source>
        <translation>练习在这一轮完成之前停止了：{}。到最后完成的一轮为止的一切都是安全的。</translation>
    </message>
    <message>
        <source>The curve begins as soon as it is known what your model can do.</source>
        <translation>一旦了解了你的模型的能力，曲线就会开始。</translation>
    </message>
    <message>
        <source>Here you will see how your model does, next to the swarm.
Join, and it begins.</source>
        <translation>在这里你会看到你的模型与群相比表现如何。
加入后就开始。</translation>
    </message>
    <message>
        <source>Pause</source>
        <translation>暂停</translation>
    </message>
    <message>
        <source>Pausing…</source>
        <translation>正在暂停…</translation>
    </message>
    <message>
        <source>There is a newer Waggle: {}.</source>
        <translation>有更新的 Waggle：{}。</translation>
    </message>
    <message>
        <source>Looking up how {} did…</source>
        <translation>正在查看 {} 之前的成绩…</translation>
    </message>
    <message>
        <source>Practice was interrupted: {reason}. Starting again in {seconds}&#xa0;s.</source>
        <translation>练习中断了：{reason}。{seconds}&#xa0;秒后重新开始。</translation>
    </message>
    <message>
        <source>{} has not got better for {} rounds, and practises level {} only. With automatic levels it goes on to harder puzzles.</source>
        <translation>{} 已经 {} 轮没有进步，并且只练习级别 {}。使用自动级别，它会继续练习更难的谜题。</translation>
    </message>
    <message>
        <source>{} has not got better for {} rounds, and practises level {} only. With automatic levels it begins where it can learn.</source>
        <translation>{} 已经 {} 轮没有进步，并且只练习级别 {}。使用自动级别，它会从能学会的地方开始。</translation>
    </message>
    <message>
        <source>Open Settings</source>
        <translation>打开设置</translation>
    </message>
    <message>
        <source>{} solves nearly all of these puzzles. Under Practice, Puzzles you can choose others or bring your own.</source>
        <translation>{} 几乎能解出所有这些谜题。在“练习”的“谜题”中，你可以选择其他谜题，或带来自己的谜题。</translation>
    </message>
    <message>
        <source>Open Practice</source>
        <translation>打开“练习”</translation>
    </message>
    <message>
        <source>{} has not got better for {} rounds. Other puzzles may have more to teach: under Practice, Puzzles you can choose some or bring your own.</source>
        <translation>{} 已有 {} 轮没有进步。其他谜题也许能教它更多：在“练习”的“谜题”中，你可以选择一些，或带来自己的谜题。</translation>
    </message>
    <message>
        <source>{} has not got better for {} rounds: it may have learnt what a model of its size can. A larger one has room for more.</source>
        <translation>{} 已经 {} 轮没有进步：它可能已学会这种大小的模型所能学的。更大的模型还有空间。</translation>
    </message>
    <message>
        <source>So may practising together with others.</source>
        <translation>和别人一起练习也可能有帮助。</translation>
    </message>
    <message>
        <source>See the models</source>
        <translation>查看模型</translation>
    </message>
    <message>
        <source>{} has not got better for {} rounds, and no larger model fits this computer. Practising together with others may help.</source>
        <translation>{} 已经 {} 轮没有进步，而且这台电脑装不下更大的模型。和别人一起练习可能有帮助。</translation>
    </message>
    <message>
        <source>Open Swarm</source>
        <translation>打开“群”</translation>
    </message>
    <message>
        <source>Go on anyway</source>
        <translation>仍然继续</translation>
    </message>
    <message>
        <source>Go on</source>
        <translation>继续</translation>
    </message>
    <message>
        <source>Finishing…</source>
        <translation>正在结束…</translation>
    </message>
    <message>
        <source>Finish round and stop</source>
        <translation>完成本轮后停止</translation>
    </message>
    <message>
        <source>Stop</source>
        <translation>停止</translation>
    </message>
    <message>
        <source>Changed models: {} practised before.</source>
        <translation>更换了模型：之前练习的是 {}。</translation>
    </message>
    <message>
        <source>{} min</source>
        <translation>{} 分</translation>
    </message>
    <message>
        <source>{} h</source>
        <translation>{} 时</translation>
    </message>
    <message>
        <source>{} days</source>
        <translation>{} 天</translation>
    </message>
    <message>
        <source>Round {}</source>
        <translation>第 {} 轮</translation>
    </message>
    <message>
        <source>your model {}</source>
        <translation>你的模型 {}</translation>
    </message>
    <message>
        <source>swarm {}</source>
        <translation>群 {}</translation>
    </message>
    <message>
        <source>No practice for {}.</source>
        <translation>{} 没有练习。</translation>
    </message>
    <message>
        <source>{} (average {})</source>
        <translation>{}（平均 {}）</translation>
    </message>
</context>
<context>
    <name>HomePage</name>
    <message>
        <source>Open Updates</source>
        <translation>打开更新</translation>
    </message>
</context>
<context>
    <name>HostCard</name>
    <message>
        <source>Host a meeting point</source>
        <translation>提供一个会合点</translation>
    </message>
    <message>
        <source>Open one on this computer</source>
        <translation>在这台电脑上开一个</translation>
    </message>
    <message>
        <source>Invite others to it</source>
        <translation>邀请其他人来</translation>
    </message>
    <message>
        <source>Meet others there, too</source>
        <translation>也在那里与其他人会合</translation>
    </message>
    <message>
        <source>Port</source>
        <translation>端口</translation>
    </message>
    <message>
        <source>Its address from outside, if it has one</source>
        <translation>它的外部地址（如果有）</translation>
    </message>
    <message>
        <source>https://hub.example.org</source>
        <translation>https://hub.example.org</translation>
    </message>
    <message>
        <source>Opening…</source>
        <translation>正在打开…</translation>
    </message>
    <message>
        <source>A port is a number from {} to {}.</source>
        <translation>端口是 {} 到 {} 之间的数字。</translation>
    </message>
</context>
<context>
    <name>HubsCard</name>
    <message>
        <source>Meeting points</source>
        <translation>会合点</translation>
    </message>
</context>
<context>
    <name>IdentityCard</name>
    <message>
        <source>A made-up name: neither yours nor your computer&apos;s. The key behind it proves that your model&apos;s answers are yours. Keep a backup to be the same one on another computer.</source>
        <translation>一个虚构的名字：既不是你的，也不是你电脑的。它背后的密钥证明你的模型的答案出自你。请保留备份，以便在另一台电脑上仍是同一个身份。</translation>
    </message>
    <message>
        <source>Who you are to others</source>
        <translation>你在别人眼中是谁</translation>
    </message>
    <message>
        <source>Back up…</source>
        <translation>备份…</translation>
    </message>
    <message>
        <source>Restore…</source>
        <translation>恢复…</translation>
    </message>
    <message>
        <source>You get a name when you first join.</source>
        <translation>第一次加入时你会得到一个名字。</translation>
    </message>
    <message>
        <source>Back up your identity</source>
        <translation>备份你的身份</translation>
    </message>
    <message>
        <source>Writing…</source>
        <translation>正在写入…</translation>
    </message>
    <message>
        <source>Restore an identity</source>
        <translation>恢复身份</translation>
    </message>
    <message>
        <source>Reading…</source>
        <translation>正在读取…</translation>
    </message>
</context>
<context>
    <name>InlineQuestion</name>
    <message>
        <source>Leave it</source>
        <translation>保持不变</translation>
    </message>
</context>
<context>
    <name>InviteCard</name>
    <message>
        <source>The link of the invite</source>
        <translation>邀请链接</translation>
    </message>
    <message>
        <source>Copy the link</source>
        <translation>复制链接</translation>
    </message>
    <message>
        <source>The link is too long for a QR code that a camera could read.</source>
        <translation>链接太长，做成二维码后相机无法读取。</translation>
    </message>
    <message>
        <source>Join it yourself</source>
        <translation>自己也加入</translation>
    </message>
    <message>
        <source>Invite to {}</source>
        <translation>{} 的邀请</translation>
    </message>
    <message>
        <source>Copied</source>
        <translation>已复制</translation>
    </message>
</context>
<context>
    <name>JoinCard</name>
    <message>
        <source>Join another swarm</source>
        <translation>加入另一个群</translation>
    </message>
    <message>
        <source>An invite, or the name of an open swarm</source>
        <translation>一份邀请，或一个开放的群的名称</translation>
    </message>
    <message>
        <source>waggle://join/…</source>
        <translation>waggle://join/…</translation>
    </message>
    <message>
        <source>See what it says</source>
        <translation>看看里面写了什么</translation>
    </message>
    <message>
        <source>Join this swarm</source>
        <translation>加入这个群</translation>
    </message>
    <message>
        <source>See its puzzles</source>
        <translation>查看它的谜题</translation>
    </message>
</context>
<context>
    <name>JoinControls</name>
    <message>
        <source>Join swarm</source>
        <translation>加入群</translation>
    </message>
    <message>
        <source>Choose your model</source>
        <translation>选择你的模型</translation>
    </message>
    <message>
        <source>Works offline too. Stop whenever you like.</source>
        <translation>离线也能用。随时可以停止。</translation>
    </message>
</context>
<context>
    <name>Keeping</name>
    <message>
        <source>Models that were downloaded</source>
        <translation>下载的模型</translation>
    </message>
    <message>
        <source>What your models learnt</source>
        <translation>你的模型学到的内容</translation>
    </message>
    <message>
        <source>Puzzles of your own</source>
        <translation>自己的谜题</translation>
    </message>
    <message>
        <source>Rounds and scores</source>
        <translation>轮次和得分</translation>
    </message>
    <message>
        <source>Copies that can be made again</source>
        <translation>可以重新生成的副本</translation>
    </message>
    <message>
        <source>Logs</source>
        <translation>日志</translation>
    </message>
    <message>
        <source>Everything else</source>
        <translation>其他所有内容</translation>
    </message>
    <message>
        <source>{size} in all</source>
        <translation>共 {size}</translation>
    </message>
</context>
<context>
    <name>KindGrid</name>
    <message>
        <source>Built in</source>
        <translation>内置</translation>
    </message>
</context>
<context>
    <name>LiveView</name>
    <message>
        <source>Hold still</source>
        <translation>停住</translation>
    </message>
    <message>
        <source>Open Home</source>
        <translation>打开首页</translation>
    </message>
    <message>
        <source>Show older ones</source>
        <translation>显示更早的</translation>
    </message>
    <message>
        <source>Puzzles, the newest on top</source>
        <translation>谜题，最新的在上面</translation>
    </message>
</context>
<context>
    <name>LosingDialog</name>
    <message>
        <source>Close Waggle?</source>
        <translation>关闭 Waggle？</translation>
    </message>
    <message>
        <source>Close all the same</source>
        <translation>仍然关闭</translation>
    </message>
    <message>
        <source>Let it end first</source>
        <translation>先让它完成</translation>
    </message>
    <message>
        <source>An exam or an export is under way, and would have to begin anew. Rounds of practice are safe either way.</source>
        <translation>考试或导出正在进行，关闭后需要从头再来。已完成的练习轮次无论如何都不会丢失。</translation>
    </message>
</context>
<context>
    <name>MeetingSection</name>
    <message>
        <source>Your swarm</source>
        <translation>你的群</translation>
    </message>
    <message>
        <source>Proxy</source>
        <translation>代理</translation>
    </message>
    <message>
        <source>As this computer does it</source>
        <translation>按这台电脑的设置</translation>
    </message>
    <message>
        <source>One that you were invited to.</source>
        <translation>一个你被邀请加入的群。</translation>
    </message>
    <message>
        <source>One that is open.</source>
        <translation>一个对所有人开放的群。</translation>
    </message>
    <message>
        <source>Give it with its port, such as http://proxy:3128, or leave it empty.</source>
        <translation>请连同端口一起填写，例如 http://proxy:3128，或留空。</translation>
    </message>
    <message>
        <source>Port</source>
        <translation>端口</translation>
    </message>
    <message>
        <source>Any free one</source>
        <translation>任意空闲端口</translation>
    </message>
    <message>
        <source>Where others are met</source>
        <translation>在哪里与其他人会合</translation>
    </message>
    <message>
        <source>On this network</source>
        <translation>在此网络中</translation>
    </message>
    <message>
        <source>Finds others who use the same router, without the internet.</source>
        <translation>找到同一路由器下的其他人，不需要互联网。</translation>
    </message>
    <message>
        <source>On the internet, without a meeting point</source>
        <translation>在互联网上，不经会合点</translation>
    </message>
    <message>
        <source>Looks for others through the BitTorrent network, and is found there. It shows this computer&apos;s internet address to those who look.</source>
        <translation>通过 BitTorrent 网络寻找其他人，也会在那里被找到。寻找的人会看到这台电脑的互联网地址。</translation>
    </message>
    <message>
        <source>Port for others</source>
        <translation>供其他人用的端口</translation>
    </message>
    <message>
        <source>Only of interest where a router or a firewall has to know it.</source>
        <translation>只有在路由器或防火墙需要知道时才有意义。</translation>
    </message>
    <message>
        <source>This counts from the next start of practice.</source>
        <translation>下次开始练习时生效。</translation>
    </message>
    <message>
        <source>Open Swarm</source>
        <translation>打开“群”</translation>
    </message>
    <message>
        <source>The way to models and to meeting points outside, such as http://proxy:3128. Counts from the next start of Waggle.</source>
        <translation>通往模型和外部会合点的途径，例如 http://proxy:3128。下次启动 Waggle 时生效。</translation>
    </message>
</context>
<context>
    <name>MilestoneList</name>
    <message>
        <source>Milestones</source>
        <translation>里程碑</translation>
    </message>
    <message>
        <source>The first is near.</source>
        <translation>第一个就在眼前。</translation>
    </message>
    <message>
        <source>Next</source>
        <translation>接下来</translation>
    </message>
    <message>
        <source>All of them are behind you.</source>
        <translation>你已全部达成。</translation>
    </message>
</context>
<context>
    <name>ModelCard</name>
    <message>
        <source>Details</source>
        <translation>详情</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>关闭</translation>
    </message>
    <message>
        <source>Show the folder</source>
        <translation>显示文件夹</translation>
    </message>
    <message>
        <source>Fewer details</source>
        <translation>收起详情</translation>
    </message>
</context>
<context>
    <name>ModelCards</name>
    <message>
        <source>More models…</source>
        <translation>更多模型…</translation>
    </message>
    <message>
        <source>Here a round takes {}.</source>
        <translation>在这台电脑上一轮需要{}。</translation>
    </message>
</context>
<context>
    <name>Models</name>
    <message>
        <source>Take it away</source>
        <translation>带走</translation>
    </message>
    <message>
        <source>Look after it</source>
        <translation>维护</translation>
    </message>
    <message>
        <source>What it had learnt before</source>
        <translation>它之前学到的内容</translation>
    </message>
    <message>
        <source>none so far</source>
        <translation>目前没有</translation>
    </message>
    <message>
        <source>Practised here</source>
        <translation>在这里练习过</translation>
    </message>
    <message>
        <source>the model {}</source>
        <translation>模型 {}</translation>
    </message>
    <message>
        <source>what it learnt {}</source>
        <translation>它学到的 {}</translation>
    </message>
    <message>
        <source>On the disk</source>
        <translation>在磁盘上</translation>
    </message>
    <message>
        <source>Comes from</source>
        <translation>来自</translation>
    </message>
    <message>
        <source>Licence</source>
        <translation>许可证</translation>
    </message>
    <message>
        <source>Save…</source>
        <translation>保存…</translation>
    </message>
    <message>
        <source>For other apps (GGUF)</source>
        <translation>用于其他应用（GGUF）</translation>
    </message>
    <message>
        <source>One file for LM Studio, llama.cpp and the like; about {}.</source>
        <translation>一个文件，用于 LM Studio、llama.cpp 等；约 {}。</translation>
    </message>
    <message>
        <source>For other apps, half the size (GGUF, 8 bit)</source>
        <translation>用于其他应用，一半大小（GGUF，8 位）</translation>
    </message>
    <message>
        <source>Answers nearly the same; about {}.</source>
        <translation>回答几乎相同；约 {}。</translation>
    </message>
    <message>
        <source>The learnt part only (adapter)</source>
        <translation>仅学到的部分（适配器）</translation>
    </message>
    <message>
        <source>A folder for PEFT, used with the base model; about {}.</source>
        <translation>一个用于 PEFT 的文件夹，与基础模型一起使用；约 {}。</translation>
    </message>
    <message>
        <source>Whole model</source>
        <translation>整个模型</translation>
    </message>
    <message>
        <source>A folder for programs that use transformers; about {}.</source>
        <translation>一个文件夹，用于使用 transformers 的程序；约 {}。</translation>
    </message>
    <message>
        <source>How long a round will take here</source>
        <translation>在这台电脑上一轮需要多久</translation>
    </message>
    <message>
        <source>Measured with random numbers in its place, in a minute or two. Once it practises, its rounds tell.</source>
        <translation>用随机数代替模型来测量，需要一两分钟。开始练习后，以它自己的轮次为准。</translation>
    </message>
    <message>
        <source>Measure</source>
        <translation>测量</translation>
    </message>
    <message>
        <source>Check its files</source>
        <translation>检查它的文件</translation>
    </message>
    <message>
        <source>Compares every file with what Hugging Face announced.</source>
        <translation>把每个文件与 Hugging Face 公布的内容比较。</translation>
    </message>
    <message>
        <source>Check</source>
        <translation>检查</translation>
    </message>
    <message>
        <source>Sets {} free. What it learnt is kept, for when it comes back.</source>
        <translation>释放 {}。它学到的内容会保留，等它回来时再用。</translation>
    </message>
    <message>
        <source>Remove {} from this computer?</source>
        <translation>从这台电脑上移除 {}？</translation>
    </message>
    <message>
        <source>Remove it from this computer</source>
        <translation>从这台电脑上移除</translation>
    </message>
    <message>
        <source>Remove…</source>
        <translation>移除…</translation>
    </message>
    <message>
        <source>What it learnt in {} is put aside as a backup.</source>
        <translation>它在 {} 中学到的内容会作为备份保存。</translation>
    </message>
    <message>
        <source>Start {} over? It forgets what it learnt here. A backup is kept, and you can bring it back.</source>
        <translation>让 {} 重新开始？它会忘记在这里学到的内容。会保留一份备份，你可以找回。</translation>
    </message>
    <message>
        <source>Start over from the base</source>
        <translation>从基础模型重新开始</translation>
    </message>
    <message>
        <source>Start over…</source>
        <translation>重新开始…</translation>
    </message>
    <message>
        <source>Backup of {}</source>
        <translation>{} 的备份</translation>
    </message>
    <message>
        <source>{rounds}; {size}. What it learnt since is put aside.</source>
        <translation>{rounds}；{size}。此后学到的内容会另行保存。</translation>
    </message>
    <message>
        <source>Bring back</source>
        <translation>找回</translation>
    </message>
    <message>
        <source>Delete…</source>
        <translation>删除…</translation>
    </message>
    <message>
        <source>Delete the backup of {when} ({size})? What it had learnt by then is gone for good. Its rounds still count as your contribution.</source>
        <translation>删除 {when} 的备份（{size}）？它到那时为止学到的内容将永远消失。那些轮次仍算作你的贡献。</translation>
    </message>
    <message>
        <source>{} are free on the disk that holds them.</source>
        <translation>所在的磁盘上还有 {} 空闲。</translation>
    </message>
    <message>
        <source>Memory is measured while {} practises: without it, more is free.</source>
        <translation>内存是在 {} 练习时测量的：不练习时会更多。</translation>
    </message>
    <message>
        <source>comes with Waggle</source>
        <translation>随 Waggle 附带</translation>
    </message>
    <message>
        <source>on this computer, {}</source>
        <translation>在这台电脑上，{}</translation>
    </message>
    <message>
        <source>{} to download</source>
        <translation>需下载 {}</translation>
    </message>
    <message>
        <source>a part is on this computer</source>
        <translation>一部分在这台电脑上</translation>
    </message>
    <message>
        <source>files of it are missing</source>
        <translation>缺少它的一些文件</translation>
    </message>
    <message>
        <source>a round takes {}</source>
        <translation>一轮需要{}</translation>
    </message>
    <message>
        <source>The download needs {need} on the disk, and {free} are free there.</source>
        <translation>下载需要 {need} 磁盘空间，那里还有 {free} 空闲。</translation>
    </message>
    <message>
        <source>Practising now</source>
        <translation>正在练习</translation>
    </message>
    <message>
        <source>Chosen next</source>
        <translation>已选为下一个</translation>
    </message>
    <message>
        <source>Chosen</source>
        <translation>已选</translation>
    </message>
    <message>
        <source>Fits</source>
        <translation>合适</translation>
    </message>
    <message>
        <source>Tight</source>
        <translation>勉强</translation>
    </message>
    <message>
        <source>Too large</source>
        <translation>太大</translation>
    </message>
    <message>
        <source>Download</source>
        <translation>下载</translation>
    </message>
    <message>
        <source>Go on</source>
        <translation>继续</translation>
    </message>
    <message>
        <source>Download again</source>
        <translation>重新下载</translation>
    </message>
    <message>
        <source>This computer could probably not train it. {} Download it all the same?</source>
        <translation>这台电脑大概无法训练它。{} 仍然下载吗？</translation>
    </message>
    <message>
        <source>Download anyway</source>
        <translation>仍然下载</translation>
    </message>
    <message>
        <source>Choose anyway</source>
        <translation>仍然选择</translation>
    </message>
    <message>
        <source>It seems to need more memory than there is. The computer may become slow, and practice may end when the memory runs out; what it learnt until its last round is safe. Choose it all the same?</source>
        <translation>它需要的内存似乎超过现有的。电脑可能变慢，内存用尽时练习可能结束；到最后一轮为止学到的内容是安全的。仍然选择它吗？</translation>
    </message>
    <message>
        <source>Choose</source>
        <translation>选择</translation>
    </message>
    <message>
        <source>Finishing the round…</source>
        <translation>正在完成本轮…</translation>
    </message>
    <message>
        <source>Change over now</source>
        <translation>现在就换</translation>
    </message>
    <message>
        <source>Throw away what came in of {}?</source>
        <translation>丢弃 {} 已下载的部分？</translation>
    </message>
    <message>
        <source>Throw it away</source>
        <translation>丢弃它</translation>
    </message>
    <message>
        <source>Throw away</source>
        <translation>丢弃</translation>
    </message>
    <message>
        <source>Pause would keep it.</source>
        <translation>暂停则会保留。</translation>
    </message>
    <message>
        <source>Pause</source>
        <translation>暂停</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
    <message>
        <source>Stop</source>
        <translation>停止</translation>
    </message>
    <message>
        <source>It is in the list above.</source>
        <translation>它在上面的列表中。</translation>
    </message>
    <message>
        <source>The token is kept where this computer keeps passwords. Only Hugging Face is shown it.</source>
        <translation>令牌已保存在这台电脑存放密码的地方。它只会出示给 Hugging Face。</translation>
    </message>
    <message>
        <source>It is here, complete and checked. Now it can be chosen.</source>
        <translation>它已在这里，完整并经过检查。现在可以选择它了。</translation>
    </message>
    <message>
        <source>Every file is what Hugging Face announced.</source>
        <translation>每个文件都与 Hugging Face 公布的一致。</translation>
    </message>
    <message>
        <source>Saved: {path} ({size})</source>
        <translation>已保存：{path}（{size}）</translation>
    </message>
    <message>
        <source>The backup is deleted; {} are free again.</source>
        <translation>备份已删除；又空出 {}。</translation>
    </message>
    <message>
        <source>Removed; {} are free again. What it learnt here is kept.</source>
        <translation>已移除；又空出 {}。它在这里学到的内容会保留。</translation>
    </message>
    <message>
        <source>It starts over from its base. What it learnt in {} is kept as a backup, and its rounds still count as your contribution.</source>
        <translation>它从基础模型重新开始。它在 {} 中学到的内容作为备份保留，那些轮次仍算作你的贡献。</translation>
    </message>
    <message>
        <source>It is as it was then.</source>
        <translation>它恢复到了当时的样子。</translation>
    </message>
    <message>
        <source>Where shall it go?</source>
        <translation>放到哪里？</translation>
    </message>
    <message>
        <source>{done} of {total} are here. The rest can come any time.</source>
        <translation>{total} 中已有 {done}。其余的随时可以下载。</translation>
    </message>
    <message>
        <source>Pausing…</source>
        <translation>正在暂停…</translation>
    </message>
    <message>
        <source>Stopping…</source>
        <translation>正在停止…</translation>
    </message>
    <message>
        <source>Reading every file</source>
        <translation>正在读取每个文件</translation>
    </message>
    <message>
        <source>Removing…</source>
        <translation>正在移除…</translation>
    </message>
    <message>
        <source>Putting aside what it learnt…</source>
        <translation>正在保存它学到的内容…</translation>
    </message>
    <message>
        <source>Bringing it back…</source>
        <translation>正在找回…</translation>
    </message>
    <message>
        <source>Measuring how long a round will take…</source>
        <translation>正在测量一轮需要多久…</translation>
    </message>
    <message>
        <source>Starting…</source>
        <translation>正在开始…</translation>
    </message>
    <message>
        <source>Asking Hugging Face…</source>
        <translation>正在询问 Hugging Face…</translation>
    </message>
    <message>
        <source>The line broke; trying again. What came in is kept.</source>
        <translation>连接中断；正在重试。已下载的部分会保留。</translation>
    </message>
    <message>
        <source>Checking what came in</source>
        <translation>正在检查收到的内容</translation>
    </message>
    <message>
        <source>{} a second</source>
        <translation>每秒 {}</translation>
    </message>
    <message>
        <source>Getting the model ready…</source>
        <translation>正在准备模型…</translation>
    </message>
    <message>
        <source>Writing</source>
        <translation>正在写入</translation>
    </message>
    <message>
        <source>{done} of {total}</source>
        <translation>{done} / {total}</translation>
    </message>
    <message>
        <source>{} parameters</source>
        <translation>{}参数</translation>
    </message>
    <message>
        <source>1 round</source>
        <translation>1 轮</translation>
    </message>
    <message>
        <source>{} rounds</source>
        <translation>{} 轮</translation>
    </message>
    <message>
        <source>less than a minute left</source>
        <translation>剩余不到一分钟</translation>
    </message>
    <message>
        <source>about a minute left</source>
        <translation>剩余约一分钟</translation>
    </message>
    <message>
        <source>about {} minutes left</source>
        <translation>剩余约 {} 分钟</translation>
    </message>
    <message>
        <source>about {} hours left</source>
        <translation>剩余约 {} 小时</translation>
    </message>
    <message>
        <source>about a second</source>
        <translation>大约 1 秒</translation>
    </message>
    <message>
        <source>about {} seconds</source>
        <translation>大约 {} 秒</translation>
    </message>
    <message>
        <source>about {} minutes</source>
        <translation>大约 {} 分钟</translation>
    </message>
    <message>
        <source>about {} hours</source>
        <translation>大约 {} 小时</translation>
    </message>
    <message>
        <source>Needs about {need} of memory, the graphics card has {have} free.</source>
        <translation>需要约 {need} 内存，显卡有 {have} 空闲。</translation>
    </message>
    <message>
        <source>Needs about {need} of memory, this computer has {have} free for it.</source>
        <translation>需要约 {need} 内存，这台电脑可供其使用的空闲内存有 {have}。</translation>
    </message>
    <message>
        <source>Close other programs first.</source>
        <translation>请先关闭其他程序。</translation>
    </message>
    <message>
        <source>{} would fit.</source>
        <translation>{} 会合适。</translation>
    </message>
</context>
<context>
    <name>ModelsView</name>
    <message>
        <source>Looking at what is here…</source>
        <translation>正在查看这里有什么…</translation>
    </message>
    <message>
        <source>Try again</source>
        <translation>重试</translation>
    </message>
    <message>
        <source>Choose what this computer trains. Larger ones know more, and need more.</source>
        <translation>选择这台电脑训练什么。更大的懂得更多，需要的也更多。</translation>
    </message>
    <message>
        <source>Models</source>
        <translation>模型</translation>
    </message>
</context>
<context>
    <name>Moments</name>
    <message>
        <source>d MMM yyyy</source>
        <comment>a date, in the letters of QLocale</comment>
        <translation>yyyy年M月d日</translation>
    </message>
</context>
<context>
    <name>Navigation</name>
    <message>
        <source>What is Waggle?</source>
        <translation>什么是 Waggle？</translation>
    </message>
    <message>
        <source>Home</source>
        <translation>首页</translation>
    </message>
    <message>
        <source>Practice</source>
        <translation>练习</translation>
    </message>
    <message>
        <source>Contribution</source>
        <translation>贡献</translation>
    </message>
    <message>
        <source>Swarm</source>
        <translation>群</translation>
    </message>
    <message>
        <source>Models</source>
        <translation>模型</translation>
    </message>
    <message>
        <source>Settings</source>
        <translation>设置</translation>
    </message>
</context>
<context>
    <name>NoticeBar</name>
    <message>
        <source>Saved: {}</source>
        <translation>已保存：{}</translation>
    </message>
    <message>
        <source>Show the folder</source>
        <translation>显示文件夹</translation>
    </message>
</context>
<context>
    <name>Notices</name>
    <message>
        <source>Waggle goes on in the tray</source>
        <translation>Waggle 在托盘中继续运行</translation>
    </message>
    <message>
        <source>Its icon leads back to the window. To end it, choose Quit there.</source>
        <translation>它的图标会带你回到窗口。要结束它，请在那里选择“退出”。</translation>
    </message>
    <message>
        <source>Practice has stopped</source>
        <translation>练习已停止</translation>
    </message>
    <message>
        <source>{model} has finished {rounds} rounds.</source>
        <translation>{model} 已完成 {rounds} 轮。</translation>
    </message>
    <message>
        <source>A milestone</source>
        <translation>一个里程碑</translation>
    </message>
    <message>
        <source>Another model has learnt from what yours tried.</source>
        <translation>另一个模型从你的模型的尝试中学到了东西。</translation>
    </message>
    <message>
        <source>{} other models have learnt from what yours tried.</source>
        <translation>另外 {} 个模型从你的模型的尝试中学到了东西。</translation>
    </message>
</context>
<context>
    <name>OfferView</name>
    <message>
        <source>Puzzles that come with the invite</source>
        <translation>随邀请而来的谜题</translation>
    </message>
    <message>
        <source>Practise these</source>
        <translation>练习这些</translation>
    </message>
    <message>
        <source>Try again</source>
        <translation>重试</translation>
    </message>
    <message>
        <source>Not now</source>
        <translation>暂不</translation>
    </message>
    <message>
        <source>Asking where its members meet…</source>
        <translation>正在询问成员会合的地方…</translation>
    </message>
    <message>
        <source>Fetching deck {number} of {all}…</source>
        <translation>正在获取题集（第 {number} 个，共 {all} 个）…</translation>
    </message>
    <message>
        <source>Keeping them…</source>
        <translation>正在保存…</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
    <message>
        <source>How far the puzzles are on their way</source>
        <translation>谜题传送的进度</translation>
    </message>
</context>
<context>
    <name>OnlyBar</name>
    <message>
        <source>Show all puzzles</source>
        <translation>显示所有谜题</translation>
    </message>
    <message>
        <source>Only: {}</source>
        <translation>仅：{}</translation>
    </message>
</context>
<context>
    <name>OwnCard</name>
    <message>
        <source>Your swarm</source>
        <translation>你的群</translation>
    </message>
    <message>
        <source>Your model still practises in the swarm from before, and changes over with its next start.</source>
        <translation>你的模型仍在之前的群里练习，下次启动时会换过来。</translation>
    </message>
    <message>
        <source>Change over now</source>
        <translation>现在就换</translation>
    </message>
    <message>
        <source>See its puzzles</source>
        <translation>查看它的谜题</translation>
    </message>
    <message>
        <source>Invite others</source>
        <translation>邀请其他人</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
    <message>
        <source>The puzzles of this swarm are not on this computer, so practice cannot begin.</source>
        <translation>这个群的谜题不在这台电脑上，所以无法开始练习。</translation>
    </message>
    <message>
        <source>Finishing the round…</source>
        <translation>正在完成本轮…</translation>
    </message>
    <message>
        <source>Leaving the puzzles where others meet…</source>
        <translation>正在把谜题放到会合点…</translation>
    </message>
    <message>
        <source>Go to: {}</source>
        <translation>转到：{}</translation>
    </message>
</context>
<context>
    <name>PeopleCard</name>
    <message>
        <source>Who is here</source>
        <translation>谁在这里</translation>
    </message>
    <message>
        <source>Show more ({})</source>
        <translation>显示更多（{}）</translation>
    </message>
</context>
<context>
    <name>Phrases</name>
    <message>
        <source>{}, {}</source>
        <comment>between the parts of a series</comment>
        <translation>{}，{}</translation>
    </message>
    <message>
        <source>Finish or stop practising first.</source>
        <translation>请先完成或停止练习。</translation>
    </message>
    <message>
        <source>{}: {}</source>
        <comment>a name and what is said of it</comment>
        <translation>{}：{}</translation>
    </message>
</context>
<context>
    <name>PlotField</name>
    <message>
        <source>Chart: you and the swarm</source>
        <translation>图表：你和群</translation>
    </message>
    <message>
        <source>Puzzles solved</source>
        <translation>解出的谜题</translation>
    </message>
</context>
<context>
    <name>Practice</name>
    <message>
        <source>right</source>
        <translation>正确</translation>
    </message>
    <message>
        <source>partly right</source>
        <translation>部分正确</translation>
    </message>
    <message>
        <source>wrong</source>
        <translation>错误</translation>
    </message>
    <message>
        <source>{right} of {tries} right</source>
        <translation>{tries} 次中 {right} 次正确</translation>
    </message>
    <message>
        <source>(no answer)</source>
        <translation>（没有回答）</translation>
    </message>
    <message>
        <source>{before} before, {now} now.</source>
        <translation>之前 {before}，现在 {now}。</translation>
    </message>
    <message>
        <source>Choosing puzzles that it never practised…</source>
        <translation>正在挑选它从未练习过的谜题…</translation>
    </message>
    <message>
        <source>Trying puzzles: {} to go…</source>
        <translation>正在尝试谜题：还剩 {} 道…</translation>
    </message>
    <message>
        <source>Checking the answers…</source>
        <translation>正在检查答案…</translation>
    </message>
    <message>
        <source>Lines: 0 to {}</source>
        <translation>线段：0 到 {}</translation>
    </message>
    <message>
        <source>{puzzles} puzzles that it never practised, after {rounds}; {when}. Kinds: {kinds}, levels of them: {levels}.</source>
        <translation>{puzzles} 道从未练习过的谜题，练习 {rounds}之后；{when}。类别：{kinds}，其中级别：{levels}。</translation>
    </message>
    <message>
        <source>Solved at the first try</source>
        <translation>一次尝试解出</translation>
    </message>
    <message>
        <source>The same if the form is forgiven</source>
        <translation>同上，不计形式</translation>
    </message>
    <message>
        <source>Solved within eight tries</source>
        <translation>八次尝试内解出</translation>
    </message>
    <message>
        <source>{before} ± {before_margin} → {now} ± {now_margin}</source>
        <translation>{before} ± {before_margin} → {now} ± {now_margin}</translation>
    </message>
    <message>
        <source>It has not practised yet, so both are the same model.</source>
        <translation>它还没有练习过，所以两者是同一个模型。</translation>
    </message>
    <message>
        <source>{before} → {now}</source>
        <translation>{before} → {now}</translation>
    </message>
    <message>
        <source>Go on</source>
        <translation>继续</translation>
    </message>
    <message>
        <source>Hold still</source>
        <translation>停住</translation>
    </message>
    <message>
        <source>Nothing is practised now; these were the last puzzles.</source>
        <translation>现在没有在练习；这些是最后的谜题。</translation>
    </message>
    <message>
        <source>Paused; these were the last puzzles.</source>
        <translation>已暂停；这些是最后的谜题。</translation>
    </message>
    <message>
        <source>A few of the puzzles that are tried, the newest on top.</source>
        <translation>正在尝试的一部分谜题，最新的在上面。</translation>
    </message>
    <message>
        <source>Held still for you.</source>
        <translation>为你停住了。</translation>
    </message>
    <message>
        <source>Held still; 1 newer one is waiting.</source>
        <translation>已停住；有 1 个新的在等待。</translation>
    </message>
    <message>
        <source>Held still; {} newer ones are waiting.</source>
        <translation>已停住；有 {} 个新的在等待。</translation>
    </message>
    <message>
        <source>Here you can watch the puzzles that your model tries, what it answers, and what others answered.
Nothing is practised right now. Join on Home, and they pass by.</source>
        <translation>在这里你可以看到你的模型尝试的谜题、它的回答，以及其他人的回答。
现在没有在练习。在首页加入，它们就会出现。</translation>
    </message>
    <message>
        <source>Paused. The next puzzle appears when practice goes on.</source>
        <translation>已暂停。继续练习时会出现下一道谜题。</translation>
    </message>
    <message>
        <source>The first puzzle appears when the model is ready.</source>
        <translation>模型准备好后会出现第一道谜题。</translation>
    </message>
    <message>
        <source>None of this kind and level has passed by yet. A round asks only a few of all, so it may take a while.</source>
        <translation>还没有出现这个类别和级别的谜题。每一轮只出其中几道，可能要等一会儿。</translation>
    </message>
    <message>
        <source>The next puzzle appears as soon as a round is over.</source>
        <translation>一轮结束后会出现下一道谜题。</translation>
    </message>
    <message>
        <source>Your own words</source>
        <translation>你自己的话</translation>
    </message>
    <message>
        <source>Before any practice</source>
        <translation>练习之前</translation>
    </message>
    <message>
        <source>It was made for conversation, and practises puzzles here. Small models make things up: do not rely on what it says.</source>
        <translation>它是为对话而做的，在这里练习谜题。小模型会编造内容：不要依赖它说的话。</translation>
    </message>
    <message>
        <source>{} has never read anything but puzzles. Asked something else, it answers as if that were a puzzle, or nonsense.</source>
        <translation>{} 除了谜题什么都没读过。问它别的，它会当成谜题来回答，或者胡言乱语。</translation>
    </message>
    <message>
        <source>Today, not practised yet</source>
        <translation>今天，还没有练习</translation>
    </message>
    <message>
        <source>Today, after 1 round</source>
        <translation>今天，练习 1 轮之后</translation>
    </message>
    <message>
        <source>Today, after {} rounds</source>
        <translation>今天，练习 {} 轮之后</translation>
    </message>
    <message>
        <source>The same answers: practice made no difference here.</source>
        <translation>答案相同：练习在这里没有带来变化。</translation>
    </message>
    <message>
        <source>Answers to your own words are not judged by anybody.</source>
        <translation>对你自己的话的回答没有人评判。</translation>
    </message>
    <message>
        <source>One puzzle proves little. The exam asks many.</source>
        <translation>一道谜题说明不了多少。考试会出很多道。</translation>
    </message>
    <message>
        <source>Question</source>
        <translation>题目</translation>
    </message>
    <message>
        <source>Answer</source>
        <translation>答案</translation>
    </message>
    <message>
        <source>Level</source>
        <translation>级别</translation>
    </message>
    <message>
        <source>Choices</source>
        <translation>选项</translation>
    </message>
    <message>
        <source>How one gets there</source>
        <translation>解题步骤</translation>
    </message>
    <message>
        <source>Variables</source>
        <translation>变量</translation>
    </message>
    <message>
        <source>Condition</source>
        <translation>条件</translation>
    </message>
    <message>
        <source>Rows that become questions: {good} of {total}.</source>
        <translation>成为题目的行：{total} 行中有 {good} 行。</translation>
    </message>
    <message>
        <source>Letter for letter</source>
        <translation>逐字比较</translation>
    </message>
    <message>
        <source>Capitals do not matter</source>
        <translation>不区分大小写</translation>
    </message>
    <message>
        <source>Whole numbers</source>
        <translation>整数</translation>
    </message>
    <message>
        <source>Decimal numbers</source>
        <translation>小数</translation>
    </message>
    <message>
        <source>Fractions</source>
        <translation>分数</translation>
    </message>
    <message>
        <source>One of the choices</source>
        <translation>选项之一</translation>
    </message>
    <message>
        <source>Words in any order</source>
        <translation>词语不分先后</translation>
    </message>
    <message>
        <source>(Rows: {})</source>
        <translation>（行：{}）</translation>
    </message>
    <message>
        <source>Left out for what is wrong with them: {}.</source>
        <translation>因有问题而略去：{}。</translation>
    </message>
    <message>
        <source>Shown are the first rows, and bad ones among the rest: {} in all.</source>
        <translation>显示前面的行，以及其余行中有问题的行：共 {} 行。</translation>
    </message>
    <message>
        <source>To be mended first</source>
        <translation>需先修正</translation>
    </message>
    <message>
        <source>level {level}: {share}</source>
        <translation>级别 {level}：{share}</translation>
    </message>
    <message>
        <source>solved now</source>
        <translation>现在解出</translation>
    </message>
    <message>
        <source>left edge: before practice</source>
        <translation>左缘：练习前</translation>
    </message>
    <message>
        <source>the swarm solves more</source>
        <translation>群体解出更多</translation>
    </message>
    <message>
        <source>not practised at present</source>
        <translation>目前不练习</translation>
    </message>
    <message>
        <source>never tried</source>
        <translation>从未尝试</translation>
    </message>
    <message>
        <source>What can {} do?</source>
        <translation>{} 会做什么？</translation>
    </message>
    <message>
        <source>What is practised</source>
        <translation>练习的内容</translation>
    </message>
    <message>
        <source>Looking it up…</source>
        <translation>正在查看…</translation>
    </message>
    <message>
        <source>What you choose counts from the next start of practice.</source>
        <translation>你的选择从下次开始练习时生效。</translation>
    </message>
    <message>
        <source>Your swarm, “{}”, practises puzzles of its own. You choose again once you are in another.</source>
        <translation>你的群“{}”练习自己的谜题。换到别的群以后，又由你选择。</translation>
    </message>
    <message>
        <source>Puzzles of your swarm are not on this computer, so practice cannot begin. See them first on the page Swarm.</source>
        <translation>你的群的谜题不在这台电脑上，所以无法开始练习。请先在“群”页面查看。</translation>
    </message>
    <message>
        <source>A deck that is to be practised is not on this computer any more, so practice cannot begin. Add it again, or leave it out.</source>
        <translation>要练习的一个题集已不在这台电脑上，因此无法开始练习。请重新添加，或将它去掉。</translation>
    </message>
    <message>
        <source>The puzzles of your swarm are practised: {}</source>
        <translation>正在练习你的群的谜题：{}</translation>
    </message>
    <message>
        <source>All {} built-in kinds are practised</source>
        <translation>练习全部 {} 类内置谜题</translation>
    </message>
    <message>
        <source>Built-in kinds that are practised: {some} of {all}</source>
        <translation>练习 {all} 类内置谜题中的 {some} 类</translation>
    </message>
    <message>
        <source>Only “{}” is practised</source>
        <translation>只练习“{}”</translation>
    </message>
    <message>
        <source>Practised: decks of your own: {decks}, built-in kinds: {kinds}</source>
        <translation>练习：自己的题集 {decks} 个，内置谜题 {kinds} 类</translation>
    </message>
    <message>
        <source>Questions: {}</source>
        <translation>题目：{}</translation>
    </message>
    <message>
        <source>Templates, each of which makes many: {}</source>
        <translation>模板（每个可生成许多题目）：{}</translation>
    </message>
    <message>
        <source>Levels: {}</source>
        <translation>级别：{}</translation>
    </message>
    <message>
        <source>{} solved</source>
        <translation>解出 {}</translation>
    </message>
    <message>
        <source>Nothing is known of it yet. Join on Home: what it solves appears here, kind by kind and level by level.</source>
        <translation>目前还一无所知。请在首页加入：它能解出的内容会按类别和级别显示在这里。</translation>
    </message>
    <message>
        <source>What {} solves so far</source>
        <translation>{} 目前能解出的谜题</translation>
    </message>
    <message>
        <source>{model} solves {now} of all puzzles</source>
        <translation>{model} 能解出全部谜题的 {now}</translation>
    </message>
    <message>
        <source>The swarm {swarm}</source>
        <translation>群体 {swarm}</translation>
    </message>
    <message>
        <source>{model} solves {now} of what it practises</source>
        <translation>{model} 能解出所练习谜题的 {now}</translation>
    </message>
    <message>
        <source>Before practice {base}, the swarm {swarm}</source>
        <translation>练习前 {base}，群体 {swarm}</translation>
    </message>
    <message>
        <source>Before practice {base}</source>
        <translation>练习前 {base}</translation>
    </message>
    <message>
        <source>{kinds} kinds of puzzles at {cells} levels. Solved more often than not: {solved}, after {rounds}.</source>
        <translation>{kinds} 类谜题共 {cells} 个级别。练习 {rounds}之后，多半能解出：{solved}。</translation>
    </message>
    <message>
        <source>Levels: {cells}. Solved more often than not: {solved}, after {rounds}.</source>
        <translation>级别：{cells}。练习 {rounds}之后，多半能解出：{solved}。</translation>
    </message>
    <message>
        <source>{kind}, level {level}</source>
        <translation>{kind}，第 {level} 级</translation>
    </message>
    <message>
        <source>Never tried so far.</source>
        <translation>从未尝试过。</translation>
    </message>
    <message>
        <source>Your model solves {}.</source>
        <translation>你的模型解出 {}。</translation>
    </message>
    <message>
        <source>Before practice: {}.</source>
        <translation>练习前：{}。</translation>
    </message>
    <message>
        <source>The swarm: {}.</source>
        <translation>群体：{}。</translation>
    </message>
    <message>
        <source>Not practised at present.</source>
        <translation>目前不练习。</translation>
    </message>
    <message>
        <source>Small models that practise together, on many computers</source>
        <translation>在许多电脑上一起练习的小模型</translation>
    </message>
</context>
<context>
    <name>PracticePage</name>
    <message>
        <source>Live</source>
        <translation>实时</translation>
    </message>
    <message>
        <source>Skills</source>
        <translation>技能</translation>
    </message>
    <message>
        <source>Try it</source>
        <translation>试一试</translation>
    </message>
    <message>
        <source>Exam</source>
        <translation>考试</translation>
    </message>
    <message>
        <source>Puzzles</source>
        <translation>谜题</translation>
    </message>
    <message>
        <source>Practice</source>
        <translation>练习</translation>
    </message>
</context>
<context>
    <name>PrivacyStep</name>
    <message>
        <source>I have read this, and I agree to share these things.</source>
        <translation>我已阅读，并同意分享这些内容。</translation>
    </message>
    <message>
        <source>You have agreed to share these things.</source>
        <translation>你已同意分享这些内容。</translation>
    </message>
    <message>
        <source>Waggle lets this computer train a small language model. It practises puzzles with known answers, keeps what works, and swaps ideas with the models of other people: the swarm.</source>
        <translation>Waggle 让这台电脑训练一个小型语言模型。它练习有已知答案的谜题，保留有效的做法，并与其他人的模型交流想法：这就是群。</translation>
    </message>
    <message>
        <source>Others that you connect to see your internet address, as with any website. Nothing here earns money: a score only says how many puzzles were solved.</source>
        <translation>与你连接的人能看到你的互联网地址，就像任何网站一样。这里不能赚钱：得分只说明解出了多少谜题。</translation>
    </message>
    <message>
        <source>Train a small model, together.</source>
        <translation>一起训练一个小模型。</translation>
    </message>
    <message>
        <source>which puzzles were tried, and when</source>
        <translation>尝试了哪些谜题、在何时</translation>
    </message>
    <message>
        <source>what your model answered, as text</source>
        <translation>你的模型的回答，以文本形式</translation>
    </message>
    <message>
        <source>how many puzzles it solved last, and whose tries it learnt from</source>
        <translation>它上一轮解出了多少谜题，以及从谁的尝试中学习</translation>
    </message>
    <message>
        <source>the kind of model, and a made-up name and number that stay the same</source>
        <translation>模型的种类，以及一个虚构的名字和编号，二者保持不变</translation>
    </message>
    <message>
        <source>your files, or anything you type</source>
        <translation>你的文件，或你输入的任何内容</translation>
    </message>
    <message>
        <source>your name or your computer&apos;s name</source>
        <translation>你的名字或你电脑的名字</translation>
    </message>
    <message>
        <source>your model itself</source>
        <translation>你的模型本身</translation>
    </message>
    <message>
        <source>What is shared</source>
        <translation>会分享什么</translation>
    </message>
    <message>
        <source>What is never shared</source>
        <translation>绝不分享什么</translation>
    </message>
</context>
<context>
    <name>Processes</name>
    <message>
        <source>the system ended it, perhaps because memory ran out</source>
        <translation>系统结束了它，可能是因为内存用尽</translation>
    </message>
    <message>
        <source>it crashed</source>
        <translation>它崩溃了</translation>
    </message>
    <message>
        <source>it ended with an error</source>
        <translation>它因错误而结束</translation>
    </message>
    <message>
        <source>it ended too early</source>
        <translation>它过早结束</translation>
    </message>
</context>
<context>
    <name>ProgramsCard</name>
    <message>
        <source>Name of a program</source>
        <translation>程序的名称</translation>
    </message>
    <message>
        <source>Add</source>
        <translation>添加</translation>
    </message>
    <message>
        <source>Add this program</source>
        <translation>添加这个程序</translation>
    </message>
    <message>
        <source>Choose or type a name</source>
        <translation>选择或输入名称</translation>
    </message>
    <message>
        <source>There is no room for more than {}: remove one first.</source>
        <translation>最多只能有 {} 个：请先移除一个。</translation>
    </message>
    <message>
        <source>That is no name of a program: give it without folders, or choose one.</source>
        <translation>这不是程序的名称：请不要带文件夹，或者选择一个。</translation>
    </message>
    <message>
        <source>Remove</source>
        <translation>移除</translation>
    </message>
    <message>
        <source>Remove {name}</source>
        <translation>移除 {name}</translation>
    </message>
    <message>
        <source>None yet.</source>
        <translation>还没有。</translation>
    </message>
    <message>
        <source>Programs that come first</source>
        <translation>优先的程序</translation>
    </message>
    <message>
        <source>Waggle pauses for as long as one of these runs.</source>
        <translation>只要其中一个在运行，Waggle 就会暂停。</translation>
    </message>
</context>
<context>
    <name>PuzzleCard</name>
    <message>
        <source>Round {}</source>
        <translation>第 {} 轮</translation>
    </message>
    <message>
        <source>Your model</source>
        <translation>你的模型</translation>
    </message>
    <message>
        <source>What {} answered to this</source>
        <translation>{} 对此的回答</translation>
    </message>
    <message>
        <source>{who}: {said}</source>
        <translation>{who}：{said}</translation>
    </message>
    <message>
        <source>Block {}</source>
        <translation>屏蔽 {}</translation>
    </message>
    <message>
        <source>Nothing of {} is shown or learnt from any more</source>
        <translation>不再显示或学习 {} 的任何内容</translation>
    </message>
</context>
<context>
    <name>PuzzleList</name>
    <message>
        <source>What is practised</source>
        <translation>练习的内容</translation>
    </message>
    <message>
        <source>Add your own…</source>
        <translation>添加自己的…</translation>
    </message>
    <message>
        <source>All built-in kinds</source>
        <translation>全部内置谜题</translation>
    </message>
    <message>
        <source>Puzzles of your own become a deck: a table with a question and an answer in each row is enough. Drop such a file here, or press the button above.</source>
        <translation>自己的谜题会成为一个题集：只要一张表格，每行一道题目和一个答案就够了。把这样的文件拖到这里，或按上面的按钮。</translation>
    </message>
    <message>
        <source>“{}” is kept. It is practised once you switch it on.</source>
        <translation>“{}”已保留。打开开关后就会练习它。</translation>
    </message>
    <message>
        <source>Practise only this</source>
        <translation>只练习这个</translation>
    </message>
    <message>
        <source>Try again</source>
        <translation>重试</translation>
    </message>
    <message>
        <source>Leave it out</source>
        <translation>去掉它</translation>
    </message>
    <message>
        <source>Open Swarm</source>
        <translation>打开“群”</translation>
    </message>
    <message>
        <source>Deck (*.deck)</source>
        <translation>题集 (*.deck)</translation>
    </message>
    <message>
        <source>Save the deck</source>
        <translation>保存题集</translation>
    </message>
    <message>
        <source>Something has to be practised. Switch another kind on first.</source>
        <translation>总得练习点什么。请先打开另一类。</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>关闭</translation>
    </message>
</context>
<context>
    <name>PuzzlesView</name>
    <message>
        <source>A table with questions and answers</source>
        <translation>包含题目和答案的表格</translation>
    </message>
</context>
<context>
    <name>QrCode</name>
    <message>
        <source>The link as a QR code</source>
        <translation>链接的二维码</translation>
    </message>
</context>
<context>
    <name>RemovalCard</name>
    <message>
        <source>Deletes everything that Waggle keeps on this computer, and asks before.</source>
        <translation>删除 Waggle 在这台电脑上保存的一切，删除前会询问。</translation>
    </message>
    <message>
        <source>Leave nothing behind</source>
        <translation>什么都不留下</translation>
    </message>
    <message>
        <source>Remove everything…</source>
        <translation>全部删除…</translation>
    </message>
    <message>
        <source>Quit Waggle</source>
        <translation>退出 Waggle</translation>
    </message>
    <message>
        <source>Removing…</source>
        <translation>正在移除…</translation>
    </message>
</context>
<context>
    <name>RemoveEverythingDialog</name>
    <message>
        <source>remove</source>
        <translation>删除</translation>
    </message>
    <message>
        <source>Remove everything</source>
        <translation>全部删除</translation>
    </message>
    <message>
        <source>The word that confirms it</source>
        <translation>用于确认的词</translation>
    </message>
    <message>
        <source>Keep everything</source>
        <translation>全部保留</translation>
    </message>
    <message>
        <source>Really remove everything?</source>
        <translation>真的要全部删除吗？</translation>
    </message>
    <message>
        <source>Your identity, what your models learnt, downloaded models, puzzles of your own, rounds, scores and settings are deleted from this computer, and with them any access token for Hugging Face and the start with the computer. Nothing of it can be brought back; what others have of your model&apos;s answers stays with them for a while.</source>
        <translation>你的身份、模型学到的内容、下载的模型、自己的谜题、轮次、得分和设置都会从这台电脑上删除，Hugging Face 的访问令牌和随电脑启动的设置也一并删除，都无法找回；其他人手中你的模型的答案还会在他们那里保留一段时间。</translation>
    </message>
    <message>
        <source>To keep who you are, a model or puzzles of your own, back them up, export them or save them to a file before.</source>
        <translation>要保留你的身份、某个模型或自己的谜题，请先备份、导出或保存到文件。</translation>
    </message>
    <message>
        <source>To go on, type the word: {word}</source>
        <translation>要继续，请输入这个词：{word}</translation>
    </message>
    <message>
        <source>Remove everything?</source>
        <translation>全部删除？</translation>
    </message>
</context>
<context>
    <name>RequestStatus</name>
    <message>
        <source>One moment: something else is not done yet.</source>
        <translation>请稍候：另一项操作尚未完成。</translation>
    </message>
</context>
<context>
    <name>RoundProgress</name>
    <message>
        <source>This round</source>
        <translation>本轮</translation>
    </message>
    <message>
        <source>Try</source>
        <translation>尝试</translation>
    </message>
    <message>
        <source>Check</source>
        <translation>检查</translation>
    </message>
    <message>
        <source>Share</source>
        <translation>分享</translation>
    </message>
    <message>
        <source>Learn</source>
        <translation>学习</translation>
    </message>
    <message>
        <source>Rounds</source>
        <translation>轮次</translation>
    </message>
    <message>
        <source>Resting</source>
        <translation>休息中</translation>
    </message>
    <message>
        <source>about {} an hour</source>
        <translation>每小时约 {}</translation>
    </message>
    <message>
        <source>about {} a minute</source>
        <translation>每分钟约 {}</translation>
    </message>
    <message>
        <source>nearly done</source>
        <translation>快好了</translation>
    </message>
    <message>
        <source>about {}&#xa0;s left</source>
        <translation>剩余约 {}&#xa0;秒</translation>
    </message>
    <message>
        <source>about {} min left</source>
        <translation>剩余约 {} 分钟</translation>
    </message>
</context>
<context>
    <name>RunControls</name>
    <message>
        <source>Really stop now?</source>
        <translation>真的现在停止吗？</translation>
    </message>
    <message>
        <source>No round is running, so stopping loses nothing.</source>
        <translation>没有正在进行的轮次，所以停止不会损失什么。</translation>
    </message>
    <message>
        <source>The running round is lost; all finished rounds are kept.</source>
        <translation>正在进行的一轮会丢失；所有完成的轮次都会保留。</translation>
    </message>
    <message>
        <source>Stop drops the running round. Finish keeps it.</source>
        <translation>“停止”会放弃正在进行的一轮，“完成本轮后停止”会保留它。</translation>
    </message>
    <message>
        <source>Your contribution</source>
        <translation>你的贡献</translation>
    </message>
</context>
<context>
    <name>SampleList</name>
    <message>
        <source>Level {}</source>
        <translation>级别 {}</translation>
    </message>
    <message>
        <source>Answer: {}</source>
        <translation>答案：{}</translation>
    </message>
</context>
<context>
    <name>SavingPage</name>
    <message>
        <source>Saving…</source>
        <translation>正在保存…</translation>
    </message>
    <message>
        <source>The window closes by itself in a moment.</source>
        <translation>窗口马上会自行关闭。</translation>
    </message>
</context>
<context>
    <name>Schedule</name>
    <message>
        <source>Never runs by itself: no hour is chosen.</source>
        <translation>从不自行运行：没有选择任何小时。</translation>
    </message>
    <message>
        <source>Runs at any hour.</source>
        <translation>任何时间都运行。</translation>
    </message>
    <message>
        <source>Runs in {count} of the 168 hours of a week.</source>
        <translation>一周 168 小时中运行 {count} 小时。</translation>
    </message>
    <message>
        <source>Runs {hours}.</source>
        <translation>运行时间：{hours}。</translation>
    </message>
    <message>
        <source>{days} all day</source>
        <translation>{days}全天</translation>
    </message>
    <message>
        <source>{days} {hours}</source>
        <translation>{days} {hours}</translation>
    </message>
    <message>
        <source>every day</source>
        <translation>每天</translation>
    </message>
    <message>
        <source>{first} and {last}</source>
        <translation>{first}和{last}</translation>
    </message>
</context>
<context>
    <name>ScoreChart</name>
    <message>
        <source>Chart: you and the swarm</source>
        <translation>图表：你和群</translation>
    </message>
    <message>
        <source>Your model</source>
        <translation>你的模型</translation>
    </message>
    <message>
        <source>Swarm</source>
        <translation>群</translation>
    </message>
    <message>
        <source>Hour</source>
        <translation>小时</translation>
    </message>
    <message>
        <source>Show the last hour</source>
        <translation>显示最近一小时</translation>
    </message>
    <message>
        <source>Day</source>
        <translation>天</translation>
    </message>
    <message>
        <source>Show the last day</source>
        <translation>显示最近一天</translation>
    </message>
    <message>
        <source>All</source>
        <translation>全部</translation>
    </message>
    <message>
        <source>Show all rounds</source>
        <translation>显示所有轮次</translation>
    </message>
    <message>
        <source>Time of day</source>
        <translation>时刻</translation>
    </message>
    <message>
        <source>Round {} is shown.</source>
        <translation>显示第 {} 轮。</translation>
    </message>
    <message>
        <source>Rounds {} to {} are shown.</source>
        <translation>显示第 {} 轮到第 {} 轮。</translation>
    </message>
    <message>
        <source>Point at the chart, or use the arrow keys, to read single rounds.</source>
        <translation>指向图表或使用方向键，即可查看单独的轮次。</translation>
    </message>
    <message>
        <source>You and the swarm</source>
        <translation>你和群</translation>
    </message>
    <message>
        <source>Rounds practised</source>
        <translation>练习的轮次</translation>
    </message>
</context>
<context>
    <name>SettingsPage</name>
    <message>
        <source>When it runs</source>
        <translation>何时运行</translation>
    </message>
    <message>
        <source>How much</source>
        <translation>用多少</translation>
    </message>
    <message>
        <source>Meeting others</source>
        <translation>与其他人会合</translation>
    </message>
    <message>
        <source>Window</source>
        <translation>窗口</translation>
    </message>
    <message>
        <source>Identity and data</source>
        <translation>身份和数据</translation>
    </message>
    <message>
        <source>What works here</source>
        <translation>这里哪些正常</translation>
    </message>
    <message>
        <source>Updates</source>
        <translation>更新</translation>
    </message>
    <message>
        <source>About</source>
        <translation>关于</translation>
    </message>
    <message>
        <source>Settings</source>
        <translation>设置</translation>
    </message>
</context>
<context>
    <name>ShareDialog</name>
    <message>
        <source>A picture to share</source>
        <translation>可分享的图片</translation>
    </message>
    <message>
        <source>Save picture…</source>
        <translation>保存图片…</translation>
    </message>
    <message>
        <source>Copy</source>
        <translation>复制</translation>
    </message>
    <message>
        <source>Close</source>
        <translation>关闭</translation>
    </message>
    <message>
        <source>Preview: {}</source>
        <translation>预览：{}</translation>
    </message>
    <message>
        <source>Picture (*.png)</source>
        <translation>图片 (*.png)</translation>
    </message>
    <message>
        <source>Save picture</source>
        <translation>保存图片</translation>
    </message>
    <message>
        <source>{path} cannot be written ({why}). Choose another place.</source>
        <translation>无法写入 {path}（{why}）。请选择其他位置。</translation>
    </message>
    <message>
        <source>Copied.</source>
        <translation>已复制。</translation>
    </message>
</context>
<context>
    <name>SizeStep</name>
    <message>
        <source>A small one learns quickly and runs on anything. A larger one can learn more, and takes longer. You can change it whenever you like.</source>
        <translation>小的学得快，在哪里都能运行。大的能学得更多，也更花时间。你可以随时更换。</translation>
    </message>
    <message>
        <source>Choose a size.</source>
        <translation>选择大小。</translation>
    </message>
    <message>
        <source>Looking at what else fits this computer…</source>
        <translation>正在查看还有什么适合这台电脑…</translation>
    </message>
    <message>
        <source>It is on this computer already, so it can begin at once.</source>
        <translation>它已经在这台电脑上，可以马上开始。</translation>
    </message>
    <message>
        <source>It is downloaded when you begin. Until it is here and you switch to it, the model that you have goes on.</source>
        <translation>开始时会下载它。在它下载好并由你切换之前，现有的模型继续工作。</translation>
    </message>
</context>
<context>
    <name>Sizes</name>
    <message>
        <source>{size} to download</source>
        <translation>需下载 {size}</translation>
    </message>
    <message>
        <source>fits</source>
        <translation>合适</translation>
    </message>
    <message>
        <source>tight</source>
        <translation>勉强</translation>
    </message>
    <message>
        <source>too large</source>
        <translation>太大</translation>
    </message>
    <message>
        <source>Its licence has to be accepted first: see Models.</source>
        <translation>必须先接受它的许可证：见“模型”。</translation>
    </message>
    <message>
        <source>made of {} numbers</source>
        <translation>由{}个数组成</translation>
    </message>
    <message>
        <source>works offline</source>
        <translation>可离线使用</translation>
    </message>
</context>
<context>
    <name>SkillMap</name>
    <message>
        <source>Kinds of puzzles and their levels</source>
        <translation>谜题类别及其级别</translation>
    </message>
</context>
<context>
    <name>SkillsView</name>
    <message>
        <source>Open Home</source>
        <translation>打开首页</translation>
    </message>
    <message>
        <source>Make a picture…</source>
        <translation>生成图片…</translation>
    </message>
    <message>
        <source>Skills</source>
        <translation>技能</translation>
    </message>
    <message>
        <source>Try again</source>
        <translation>重试</translation>
    </message>
    <message>
        <source>What the model solves, nothing else. It leaves this computer only if you send it.</source>
        <translation>只有模型能解出的内容，别无其他。只有你发送时它才会离开这台电脑。</translation>
    </message>
</context>
<context>
    <name>SnoozeButton</name>
    <message>
        <source>Pause for a while</source>
        <translation>暂停一会儿</translation>
    </message>
</context>
<context>
    <name>Snoozes</name>
    <message>
        <source>For 30 minutes</source>
        <translation>30 分钟</translation>
    </message>
    <message>
        <source>For 1 hour</source>
        <translation>1 小时</translation>
    </message>
    <message>
        <source>Until tomorrow</source>
        <translation>直到明天</translation>
    </message>
</context>
<context>
    <name>SteadyButton</name>
    <message>
        <source>Cannot be pressed right now.</source>
        <translation>现在无法按下。</translation>
    </message>
</context>
<context>
    <name>Support</name>
    <message>
        <source>Make a support file</source>
        <translation>生成求助文件</translation>
    </message>
    <message>
        <source>Looking at everything…</source>
        <translation>正在检查一切…</translation>
    </message>
</context>
<context>
    <name>SupportCard</name>
    <message>
        <source>A file for whoever helps you: what was found on this computer, versions, and the end of the log. Addresses, names, keys and invites are taken out. Nothing is sent.</source>
        <translation>给帮助你的人的一个文件：这台电脑上发现的情况、版本和日志的末尾。地址、名字、密钥和邀请都已去除。不会发送任何东西。</translation>
    </message>
    <message>
        <source>When something is wrong</source>
        <translation>出问题的时候</translation>
    </message>
    <message>
        <source>Make a support file…</source>
        <translation>生成求助文件…</translation>
    </message>
</context>
<context>
    <name>Swarm</name>
    <message>
        <source>Private: only those who have its invite can take part or read.</source>
        <translation>私密：只有持有邀请的人才能参与或阅读。</translation>
    </message>
    <message>
        <source>Open: anybody can take part.</source>
        <translation>开放：任何人都可以参与。</translation>
    </message>
    <message>
        <source>It names no meeting point: its members find each other on one network.</source>
        <translation>它没有写会合点：成员在同一个网络中找到彼此。</translation>
    </message>
    <message>
        <source>Its members meet at {}.</source>
        <translation>它的成员在 {} 会合。</translation>
    </message>
    <message>
        <source>Its members practise puzzles of their own and nothing else. Decks: {}.</source>
        <translation>它的成员只练习自己的谜题。题集：{}。</translation>
    </message>
    <message>
        <source>Others get the puzzles from the other meeting points; this one gets them while you practise in this swarm.</source>
        <translation>其他人从别的会合点获取谜题；你在这个群里练习时，这个会合点也会得到它们。</translation>
    </message>
    <message>
        <source>Agree only if you trust whoever gave you this invite. Connect?</source>
        <translation>只有在你信任给你这份邀请的人时才同意。要连接吗？</translation>
    </message>
    <message>
        <source>This invite wants Waggle to connect to {}, which is this computer itself.</source>
        <translation>这份邀请要让 Waggle 连接到 {}，也就是这台电脑本身。</translation>
    </message>
    <message>
        <source>This invite wants Waggle to connect to {}, an address inside your own network.</source>
        <translation>这份邀请要让 Waggle 连接到 {}，这是你自己网络内部的地址。</translation>
    </message>
    <message>
        <source>This invite wants Waggle to connect to {}, a single page of a server: opening it may set something off there.</source>
        <translation>这份邀请要让 Waggle 连接到 {}，这是某台服务器上的一个单独页面：打开它可能会在那里触发某些操作。</translation>
    </message>
    <message>
        <source>Whoever has this link is a member. Hand it only to people whom you trust.</source>
        <translation>持有此链接的人就是成员。请只交给你信任的人。</translation>
    </message>
    <message>
        <source>The swarm is open, so the link may be shown to anybody.</source>
        <translation>这个群是开放的，所以链接可以给任何人看。</translation>
    </message>
    <message>
        <source>Here others meet who cannot reach each other: it hands on what they share, and trains nothing. It keeps answers for ten minutes, and puzzles of others (1 GB at most) for up to 30 days. Open until you switch it off or quit Waggle.</source>
        <translation>无法直接互相连接的人在这里会合：它转发他们分享的内容，不训练。答案保存十分钟，他人的谜题（最多 1 GB）最多保存 30 天。它一直开着，直到你关掉它或退出 Waggle。</translation>
    </message>
    <message>
        <source>Open. Others find it at {}.</source>
        <translation>已打开。其他人可在 {} 找到它。</translation>
    </message>
    <message>
        <source> or </source>
        <translation> 或 </translation>
    </message>
    <message>
        <source>Those on your own network reach it, once your firewall allows it. From the internet, it can be reached if your router passes port {} on to this computer. For a meeting point that is always open, see docs/hosting.md, which comes with Waggle&apos;s source.</source>
        <translation>只要你的防火墙允许，你自己网络中的人就能连接它。如果你的路由器把端口 {} 转发到这台电脑，互联网上的人也能连接。要一个始终开放的会合点，请看 Waggle 源代码附带的 docs/hosting.md。</translation>
    </message>
    <message>
        <source>Nobody has left anything there yet.</source>
        <translation>还没有人在那里留下东西。</translation>
    </message>
    <message>
        <source>1 computer left something there in the last ten minutes.</source>
        <translation>最近十分钟有 1 台电脑在那里留下了东西。</translation>
    </message>
    <message>
        <source>{} computers left something there in the last ten minutes.</source>
        <translation>最近十分钟有 {} 台电脑在那里留下了东西。</translation>
    </message>
    <message>
        <source>Nothing practises right now.</source>
        <translation>现在没有在练习。</translation>
    </message>
    <message>
        <source>Looking for others…</source>
        <translation>正在寻找其他人…</translation>
    </message>
    <message>
        <source>The others cannot be reached right now.</source>
        <translation>现在无法连接到其他人。</translation>
    </message>
    <message>
        <source>1 other practises with you.</source>
        <translation>有 1 位伙伴与你一起练习。</translation>
    </message>
    <message>
        <source>{} others practise with you.</source>
        <translation>有 {} 位伙伴与你一起练习。</translation>
    </message>
    <message>
        <source>Who is here shows as soon as your model practises.</source>
        <translation>你的模型一开始练习，就会显示谁在这里。</translation>
    </message>
    <message>
        <source>They see you as {}, a made-up name.</source>
        <translation>他们看到的你是 {}，一个虚构的名字。</translation>
    </message>
    <message>
        <source>Your model practises alone until somebody comes. Invite others!</source>
        <translation>在有人来之前，你的模型独自练习。邀请其他人吧！</translation>
    </message>
    <message>
        <source>And {} more.</source>
        <translation>还有 {} 位。</translation>
    </message>
    <message>
        <source>Nobody has been met yet. Others appear with the first tries that they share.</source>
        <translation>还没有遇到任何人。其他人会随着他们分享的第一批尝试出现。</translation>
    </message>
    <message>
        <source>Others appear here once practice runs: press Join swarm on the page Home.</source>
        <translation>开始练习后其他人会出现在这里：请在首页点“加入群”。</translation>
    </message>
    <message>
        <source>Asked from the next start of practice on.</source>
        <translation>从下次开始练习起询问。</translation>
    </message>
    <message>
        <source>None is named. Others on your own network are met without one; for those elsewhere, add one, paste an invite, or open a meeting point yourself.</source>
        <translation>没有写任何会合点。你自己网络中的人不需要它；要与别处的人会合，请添加一个、粘贴邀请，或自己开一个会合点。</translation>
    </message>
    <message>
        <source>here</source>
        <translation>在</translation>
    </message>
    <message>
        <source>blocked</source>
        <translation>已屏蔽</translation>
    </message>
    <message>
        <source>silent</source>
        <translation>无声</translation>
    </message>
    <message>
        <source>last heard {}</source>
        <translation>上次听到 {}</translation>
    </message>
    <message>
        <source>on this network</source>
        <translation>在此网络中</translation>
    </message>
    <message>
        <source>over the internet</source>
        <translation>经由互联网</translation>
    </message>
    <message>
        <source>by a meeting point</source>
        <translation>经由会合点</translation>
    </message>
    <message>
        <source>Nothing of it is looked at.</source>
        <translation>不会查看它的任何内容。</translation>
    </message>
    <message>
        <source>None of its tries has come here yet.</source>
        <translation>还没有收到它的任何尝试。</translation>
    </message>
    <message>
        <source>None of its {} tries has taught your model something yet.</source>
        <translation>它的 {} 次尝试还没有教会你的模型什么。</translation>
    </message>
    <message>
        <source>1 of its {} tries taught your model something.</source>
        <translation>它的 {} 次尝试中有 1 次教会了你的模型。</translation>
    </message>
    <message>
        <source>{taught} of its {tries} tries taught your model something.</source>
        <translation>它的 {tries} 次尝试中有 {taught} 次教会了你的模型。</translation>
    </message>
    <message>
        <source>Its one try taught your model something.</source>
        <translation>它唯一的一次尝试教会了你的模型。</translation>
    </message>
    <message>
        <source>Its one try has taught your model nothing yet.</source>
        <translation>它唯一的一次尝试还没有教会你的模型什么。</translation>
    </message>
    <message>
        <source>Answers; {} tries of others came from there.</source>
        <translation>有回应；从那里收到了其他人的 {} 次尝试。</translation>
    </message>
    <message>
        <source>Not asked yet.</source>
        <translation>尚未询问。</translation>
    </message>
    <message>
        <source>Somebody else answers there; nothing is sent to them.</source>
        <translation>那里回应的是别人；不会向它发送任何东西。</translation>
    </message>
    <message>
        <source>What answers there is no meeting point.</source>
        <translation>那里回应的不是会合点。</translation>
    </message>
    <message>
        <source>Left out for a while, since it broke the rules.</source>
        <translation>因违反规则而暂时跳过。</translation>
    </message>
    <message>
        <source>Answers; 1 try of another came from there.</source>
        <translation>有回应；从那里收到了别人的 1 次尝试。</translation>
    </message>
    <message>
        <source>Does not answer; it is tried again.</source>
        <translation>没有回应；会再次尝试。</translation>
    </message>
    <message>
        <source>Has not answered since {}; it is tried again.</source>
        <translation>自 {} 起没有回应；会再次尝试。</translation>
    </message>
    <message>
        <source>What “{}” practises</source>
        <translation>“{}”练习什么</translation>
    </message>
    <message>
        <source>Your model would learn from these puzzles, which others made, and from nothing else. Look at them first: nothing is kept before you agree.</source>
        <translation>你的模型将只从这些由别人制作的谜题中学习。请先看一看：在你同意之前，什么都不会保存。</translation>
    </message>
    <message>
        <source>Author</source>
        <translation>作者</translation>
    </message>
    <message>
        <source>Licence</source>
        <translation>许可证</translation>
    </message>
    <message>
        <source>Language</source>
        <translation>语言</translation>
    </message>
    <message>
        <source>not said</source>
        <translation>未说明</translation>
    </message>
    <message>
        <source>This cannot be practised, because of what has to be mended first: {}. Ask whoever invited you.</source>
        <translation>这些无法练习，因为先要改正：{}。请询问邀请你的人。</translation>
    </message>
</context>
<context>
    <name>SwarmPage</name>
    <message>
        <source>That was ended; there is no invite.</source>
        <translation>已中止；没有生成邀请。</translation>
    </message>
</context>
<context>
    <name>TimeStep</name>
    <message>
        <source>It makes way for you: you should not notice it. Before it pauses, it finishes the few puzzles that it is at, and loses nothing.</source>
        <translation>它会为你让路：你应该不会察觉。暂停之前，它会先做完手头的几道谜题，不会丢失任何东西。</translation>
    </message>
    <message>
        <source>Choose when it runs.</source>
        <translation>选择何时运行。</translation>
    </message>
    <message>
        <source>There is more to choose in the settings, at any time.</source>
        <translation>在设置中随时可以选择更多。</translation>
    </message>
    <message>
        <source>Pause</source>
        <translation>暂停</translation>
    </message>
    <message>
        <source>When it may run</source>
        <translation>何时可以运行</translation>
    </message>
    <message>
        <source>While you use the computer</source>
        <translation>你在用电脑时</translation>
    </message>
    <message>
        <source>Run gently</source>
        <translation>轻柔地运行</translation>
    </message>
    <message>
        <source>Run as always</source>
        <translation>照常运行</translation>
    </message>
    <message>
        <source>Gently: at most half of the time.</source>
        <translation>轻柔：最多一半的时间。</translation>
    </message>
    <message>
        <source>On battery</source>
        <translation>使用电池时</translation>
    </message>
    <message>
        <source>Run until it is low</source>
        <translation>运行到电量低为止</translation>
    </message>
    <message>
        <source>Practice uses a battery up quickly.</source>
        <translation>练习很耗电池。</translation>
    </message>
    <message>
        <source>Hours</source>
        <translation>时段</translation>
    </message>
    <message>
        <source>At any hour</source>
        <translation>任何时间</translation>
    </message>
    <message>
        <source>At night</source>
        <translation>夜间</translation>
    </message>
    <message>
        <source>Outside working hours</source>
        <translation>工作时间之外</translation>
    </message>
    <message>
        <source>While the computer is on: it is never woken up.</source>
        <translation>电脑开着的时候：绝不会把它唤醒。</translation>
    </message>
    <message>
        <source>As in the settings</source>
        <translation>按设置</translation>
    </message>
</context>
<context>
    <name>TimesSection</name>
    <message>
        <source>Hours of the week</source>
        <translation>一周的时段</translation>
    </message>
    <message>
        <source>Pause</source>
        <translation>暂停</translation>
    </message>
    <message>
        <source>Run gently</source>
        <translation>轻柔地运行</translation>
    </message>
    <message>
        <source>Run as always</source>
        <translation>照常运行</translation>
    </message>
    <message>
        <source>Run until it is low</source>
        <translation>运行到电量低为止</translation>
    </message>
    <message>
        <source>Making way for you</source>
        <translation>为你让路</translation>
    </message>
    <message>
        <source>While you use the computer</source>
        <translation>你在用电脑时</translation>
    </message>
    <message>
        <source>Gently: at most half of the time.</source>
        <translation>轻柔：最多一半的时间。</translation>
    </message>
    <message>
        <source>During full screen</source>
        <translation>全屏时</translation>
    </message>
    <message>
        <source>Games, films and talks.</source>
        <translation>游戏、电影和演讲。</translation>
    </message>
    <message>
        <source>On battery</source>
        <translation>使用电池时</translation>
    </message>
    <message>
        <source>{} minutes</source>
        <translation>{} 分钟</translation>
    </message>
    <message>
        <source>You are away after</source>
        <translation>多久之后算你离开</translation>
    </message>
    <message>
        <source>1 minute</source>
        <translation>1 分钟</translation>
    </message>
    <message>
        <source>Without touching mouse or keyboard.</source>
        <translation>没有碰鼠标或键盘。</translation>
    </message>
    <message>
        <source>Never</source>
        <translation>从不</translation>
    </message>
    <message>
        <source>At any hour</source>
        <translation>任何时间</translation>
    </message>
    <message>
        <source>At night</source>
        <translation>夜间</translation>
    </message>
    <message>
        <source>The battery is low below</source>
        <translation>电量低于此值算低</translation>
    </message>
    <message>
        <source>Never mind</source>
        <translation>不管</translation>
    </message>
    <message>
        <source>Pause above {}</source>
        <translation>高于 {} 时暂停</translation>
    </message>
    <message>
        <source>When the computer is under strain</source>
        <translation>电脑负担重时</translation>
    </message>
    <message>
        <source>When other programs are busy</source>
        <translation>其他程序忙碌时</translation>
    </message>
    <message>
        <source>For a minute, of all that the processor can do.</source>
        <translation>持续一分钟，占处理器全部能力的比例。</translation>
    </message>
    <message>
        <source>When the computer gets hot</source>
        <translation>电脑变热时</translation>
    </message>
    <message>
        <source>Where this computer tells how hot it is.</source>
        <translation>如果这台电脑会报告温度。</translation>
    </message>
    <message>
        <source>Filled hours run. Click or drag to paint, or use the arrow keys and the space bar; the name of a day or an hour paints all of it.</source>
        <translation>填充的小时会运行。点击或拖动来涂画，或使用方向键和空格键；点某天或某小时的名称会涂满它。</translation>
    </message>
    <message>
        <source>Outside working hours</source>
        <translation>工作时间之外</translation>
    </message>
</context>
<context>
    <name>TokenForm</name>
    <message>
        <source>Access token of huggingface.co</source>
        <translation>huggingface.co 的访问令牌</translation>
    </message>
    <message>
        <source>Keep</source>
        <translation>保留</translation>
    </message>
    <message>
        <source>Forget it</source>
        <translation>忘记它</translation>
    </message>
    <message>
        <source>This computer keeps one where it keeps passwords. Only Hugging Face is shown it.</source>
        <translation>这台电脑把一个令牌保存在存放密码的地方。它只会出示给 Hugging Face。</translation>
    </message>
    <message>
        <source>Make one on huggingface.co/settings/tokens. This computer keeps it where it keeps passwords.</source>
        <translation>请在 huggingface.co/settings/tokens 创建一个。这台电脑会把它保存在存放密码的地方。</translation>
    </message>
</context>
<context>
    <name>Tray</name>
    <message>
        <source>Open Waggle</source>
        <translation>打开 Waggle</translation>
    </message>
    <message>
        <source>Join swarm</source>
        <translation>加入群</translation>
    </message>
    <message>
        <source>Pause for a while</source>
        <translation>暂停一会儿</translation>
    </message>
    <message>
        <source>Quit</source>
        <translation>退出</translation>
    </message>
</context>
<context>
    <name>TroubleNotice</name>
    <message>
        <source>Try again</source>
        <translation>重试</translation>
    </message>
    <message>
        <source>Open the log folder</source>
        <translation>打开日志文件夹</translation>
    </message>
    <message>
        <source>Make a support file…</source>
        <translation>生成求助文件…</translation>
    </message>
</context>
<context>
    <name>TroublePage</name>
    <message>
        <source>Try again</source>
        <translation>重试</translation>
    </message>
    <message>
        <source>Waggle cannot start yet</source>
        <translation>Waggle 还无法启动</translation>
    </message>
</context>
<context>
    <name>TryForm</name>
    <message>
        <source>A puzzle</source>
        <translation>一道谜题</translation>
    </message>
    <message>
        <source>Your own words</source>
        <translation>你自己的话</translation>
    </message>
    <message>
        <source>Of any kind</source>
        <translation>任何种类</translation>
    </message>
    <message>
        <source>Kind of puzzle</source>
        <translation>谜题的种类</translation>
    </message>
    <message>
        <source>Ask something, for example: What is 17 + 25?</source>
        <translation>问点什么，例如：What is 17 + 25?</translation>
    </message>
</context>
<context>
    <name>TryView</name>
    <message>
        <source>Ask</source>
        <translation>提问</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
    <message>
        <source>Try it</source>
        <translation>试一试</translation>
    </message>
    <message>
        <source>Stopping…</source>
        <translation>正在停止…</translation>
    </message>
    <message>
        <source>Waking the model up…</source>
        <translation>正在唤醒模型…</translation>
    </message>
    <message>
        <source>Thinking…</source>
        <translation>正在思考…</translation>
    </message>
    <message>
        <source>Asking…</source>
        <translation>正在提问…</translation>
    </message>
    <message>
        <source>Another model was asked. Ask again to see what this one says.</source>
        <translation>刚才问的是另一个模型。请再问一次，看看这个模型怎么说。</translation>
    </message>
    <message>
        <source>The answers will stand here: those of the model as it was before any practice, and beside them those of today.</source>
        <translation>答案会显示在这里：练习之前的模型的答案，旁边是今天的答案。</translation>
    </message>
    <message>
        <source>Ask the same before and after practice</source>
        <translation>练习前后问同样的问题</translation>
    </message>
</context>
<context>
    <name>UpdateCard</name>
    <message>
        <source>This Waggle</source>
        <translation>这个 Waggle</translation>
    </message>
    <message>
        <source>Look now</source>
        <translation>立即查看</translation>
    </message>
    <message>
        <source>Install and open again</source>
        <translation>安装并重新打开</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
    <message>
        <source>Waggle stays open. Practice stops after the round that was under way.</source>
        <translation>Waggle 不会关闭。正在进行的那一轮结束后，练习就会停止。</translation>
    </message>
    <message>
        <source>Asking the update source…</source>
        <translation>正在询问更新来源…</translation>
    </message>
    <message>
        <source>Looking for the newest…</source>
        <translation>正在查找最新版本…</translation>
    </message>
    <message>
        <source>Ready. This round is finished first, then Waggle closes.</source>
        <translation>已就绪。先完成这一轮，然后 Waggle 会关闭。</translation>
    </message>
</context>
<context>
    <name>Updates</name>
    <message>
        <source>This is Waggle {}.</source>
        <translation>这是 Waggle {}。</translation>
    </message>
    <message>
        <source>Waggle {} is the newest.</source>
        <translation>Waggle {} 已是最新。</translation>
    </message>
    <message>
        <source>Waggle {newest} is there. You have {installed}.</source>
        <translation>已有 Waggle {newest}。你的是 {installed}。</translation>
    </message>
    <message>
        <source>Looking for the newest…</source>
        <translation>正在查找最新版本…</translation>
    </message>
    <message>
        <source>Downloading: {done} of {total}</source>
        <translation>正在下载：{done} / {total}</translation>
    </message>
    <message>
        <source>Unpacking it and trying it out…</source>
        <translation>正在解包并试用…</translation>
    </message>
    <message>
        <source>It came as a package of your system. Your system&apos;s package manager updates Waggle, and Waggle leaves that alone.</source>
        <translation>它是作为系统软件包安装的。由系统的软件包管理器更新 Waggle，Waggle 不会插手。</translation>
    </message>
    <message>
        <source>It runs from its source. Update it the way you got it; Waggle leaves that alone.</source>
        <translation>它从源代码运行。请按获得它的方式更新；Waggle 不会插手。</translation>
    </message>
    <message>
        <source>It lies in {place}, which you may not change. Ask whoever put it there, or move it to a folder of your own.</source>
        <translation>它位于 {place}，你无权更改。请询问把它放在那里的人，或把它移到你自己的文件夹。</translation>
    </message>
    <message>
        <source>No update source is built into it. Get newer ones from where you got this one.</source>
        <translation>它没有内置更新来源。请从获得它的地方获取更新的版本。</translation>
    </message>
    <message>
        <source>Waggle {} did not start here, so the one before came back.</source>
        <translation>Waggle {} 在这里无法启动，所以恢复了之前的版本。</translation>
    </message>
    <message>
        <source>It could not be put in place, since something of Waggle ran on without the window, such as practice in a terminal. End that, then install it again.</source>
        <translation>未能换上新版本，因为 Waggle 的某个部分在没有窗口的情况下仍在运行，例如终端里的练习。请先结束它，然后再次安装。</translation>
    </message>
    <message>
        <source>{} to download.</source>
        <translation>需下载 {}。</translation>
    </message>
    <message>
        <source>Last looked: {}.</source>
        <translation>上次查看：{}。</translation>
    </message>
</context>
<context>
    <name>UpdatesSection</name>
    <message>
        <source>When there is something newer</source>
        <translation>有更新的版本时</translation>
    </message>
    <message>
        <source>Tell me</source>
        <translation>告诉我</translation>
    </message>
    <message>
        <source>Install it by itself</source>
        <translation>自动安装</translation>
    </message>
    <message>
        <source>Never look</source>
        <translation>从不查看</translation>
    </message>
    <message>
        <source>By itself it is installed when you quit Waggle, never during a round.</source>
        <translation>自动安装只在你退出 Waggle 时进行，绝不会在一轮当中。</translation>
    </message>
    <message>
        <source>Newer releases</source>
        <translation>更新的版本</translation>
    </message>
</context>
<context>
    <name>Updating</name>
    <message>
        <source>There is a newer Waggle: {}</source>
        <translation>有更新的 Waggle：{}</translation>
    </message>
    <message>
        <source>To install it, open Settings, Updates.</source>
        <translation>要安装它，请打开“设置”中的“更新”。</translation>
    </message>
</context>
<context>
    <name>WeekGrid</name>
    <message>
        <source>Hours of the week</source>
        <translation>一周的时段</translation>
    </message>
    <message>
        <source>runs</source>
        <translation>运行</translation>
    </message>
    <message>
        <source>does not run</source>
        <translation>不运行</translation>
    </message>
</context>
<context>
    <name>WelcomeWizard</name>
    <message>
        <source>Back</source>
        <translation>返回</translation>
    </message>
    <message>
        <source>Cancel</source>
        <translation>取消</translation>
    </message>
    <message>
        <source>Next</source>
        <translation>下一步</translation>
    </message>
    <message>
        <source>Done</source>
        <translation>完成</translation>
    </message>
    <message>
        <source>Begin</source>
        <translation>开始</translation>
    </message>
</context>
<context>
    <name>WindowSection</name>
    <message>
        <source>Start with the computer</source>
        <translation>随电脑启动</translation>
    </message>
    <message>
        <source>Asking the system…</source>
        <translation>正在询问系统…</translation>
    </message>
    <message>
        <source>As the system has it</source>
        <translation>按系统设置</translation>
    </message>
    <message>
        <source>Looks</source>
        <translation>外观</translation>
    </message>
    <message>
        <source>Light or dark</source>
        <translation>浅色或深色</translation>
    </message>
    <message>
        <source>Light</source>
        <translation>浅色</translation>
    </message>
    <message>
        <source>Dark</source>
        <translation>深色</translation>
    </message>
    <message>
        <source>Colours</source>
        <translation>颜色</translation>
    </message>
    <message>
        <source>Honey</source>
        <translation>蜂蜜</translation>
    </message>
    <message>
        <source>Sea</source>
        <translation>海洋</translation>
    </message>
    <message>
        <source>In both, nothing is told by red and green alone.</source>
        <translation>两者都不会只用红和绿来表达。</translation>
    </message>
    <message>
        <source>Quietly, without a window in your way, and begins to practise, within your rules. The system has the last word on it.</source>
        <translation>安静地启动，不会有窗口挡住你，并按你的规则开始练习。最终由系统决定。</translation>
    </message>
    <message>
        <source>Few: when practice stops for trouble, at a milestone, and when there is a newer Waggle. Never for rounds.</source>
        <translation>很少：练习因故障停止、达成里程碑或有更新的 Waggle 时。绝不为每轮通知。</translation>
    </message>
    <message>
        <source>Language</source>
        <translation>语言</translation>
    </message>
    <message>
        <source>Words of this window</source>
        <translation>此窗口的文字</translation>
    </message>
    <message>
        <source>Counts from the next start of Waggle.</source>
        <translation>下次启动 Waggle 时生效。</translation>
    </message>
    <message>
        <source>Stay in the tray when the window is closed</source>
        <translation>关闭窗口后留在托盘中</translation>
    </message>
    <message>
        <source>Practice goes on, and a small icon leads back to the window.</source>
        <translation>练习会继续，一个小图标会带你回到窗口。</translation>
    </message>
    <message>
        <source>This desktop has no tray. Closing the window ends practice.</source>
        <translation>此桌面没有托盘。关闭窗口会结束练习。</translation>
    </message>
    <message>
        <source>Notifications</source>
        <translation>通知</translation>
    </message>
    <message>
        <source>While you do other things</source>
        <translation>在你做别的事的时候</translation>
    </message>
</context>
<context>
    <name>_Facts</name>
    <message>
        <source>Model</source>
        <translation>模型</translation>
    </message>
    <message>
        <source>Others see you as</source>
        <translation>其他人看到的你</translation>
    </message>
    <message>
        <source>Rounds finished</source>
        <translation>完成的轮次</translation>
    </message>
    <message>
        <source>Last round</source>
        <translation>上一轮</translation>
    </message>
    <message>
        <source>not yet</source>
        <translation>还没有</translation>
    </message>
    <message>
        <source>{} puzzles tried</source>
        <translation>尝试了 {} 道谜题</translation>
    </message>
    <message>
        <source>1 puzzle tried</source>
        <translation>尝试了 1 道谜题</translation>
    </message>
    <message>
        <source>{tried},
and {others} of others looked at</source>
        <translation>{tried}，
并看了其他人的 {others} 道</translation>
    </message>
</context>
<context>
    <name>_HubRow</name>
    <message>
        <source>Remove</source>
        <translation>移除</translation>
    </message>
    <message>
        <source>Remove {}</source>
        <translation>移除 {}</translation>
    </message>
</context>
<context>
    <name>_Parts</name>
    <message>
        <source>Waggle brings {} parts along that others made. Thank you.</source>
        <translation>Waggle 带有 {} 个由他人制作的部分。谢谢。</translation>
    </message>
    <message>
        <source>Part</source>
        <translation>部分</translation>
    </message>
    <message>
        <source>Text of the licence</source>
        <translation>许可证文本</translation>
    </message>
    <message>
        <source>It comes without a text of its own.</source>
        <translation>它没有自带文本。</translation>
    </message>
</context>
<context>
    <name>_PersonRow</name>
    <message>
        <source>Unblock</source>
        <translation>取消屏蔽</translation>
    </message>
    <message>
        <source>Block</source>
        <translation>屏蔽</translation>
    </message>
</context>
<context>
    <name>_Removed</name>
    <message>
        <source>Bring it back</source>
        <translation>找回</translation>
    </message>
    <message>
        <source>Removed {}; it is asked no more from the next start of practice on.</source>
        <translation>已移除 {}；从下次开始练习起不再询问它。</translation>
    </message>
    <message>
        <source>Removed {}, but the invite of your swarm names it, too.</source>
        <translation>已移除 {}，但你的群的邀请中也写有它。</translation>
    </message>
</context>
</TS>
